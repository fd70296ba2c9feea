/** An action that the page in view offers. */
export interface PageAction {
  id: string
  label: string
  /** The section that it stands in, where it is not one of the whole page. */
  section: string | undefined
  run: () => void
}

/**
 * The actions of the page in view, read from its buttons: what the page does not offer, to this role and on this record, the palette does
 * not either.
 */
export function readPageActions(main: ParentNode = document): PageAction[] {
  const all = [...main.querySelectorAll<HTMLElement>('main [data-actions] :is(button, a)')]
  return all
    .filter((one) => !one.matches(':disabled, [aria-disabled=true]') && one.offsetParent !== null)
    .flatMap((one, i) => {
      const label = (one.getAttribute('aria-label') ?? one.textContent ?? '').trim()
      if (label === '') return []
      const heading = one.closest('section')?.querySelector('h2')?.textContent?.trim()
      return [{ id: `action-${i}`, label, section: heading, run: () => runAt(one) }]
    })
}

/** As a user does it: from there the focus goes on, and comes back. */
function runAt(control: HTMLElement): void {
  control.focus()
  control.click()
}
