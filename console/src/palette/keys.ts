/** Where `g` and a second key lead, by the paths of the menu. */
export const GO_TO = {
  h: '/',
  u: '/users',
  p: '/products',
  s: '/subscriptions',
  w: '/notifications',
  e: '/endpoints',
  a: '/audit',
} as const

export type GoKey = keyof typeof GO_TO

export type Key = { does: 'palette' | 'search' | 'help' | 'wait' | 'next' | 'previous' } | { does: 'go'; to: (typeof GO_TO)[GoKey] }

type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>

/**
 * The effect of a key outside of dialogs; `undefined` for a key that is not ours. `isTyping`: the focus is in a field, where letters are
 * text. `isWaiting`: `g` was pressed just before. `areOn`: single keys may be switched off (WCAG 2.1.4).
 */
export function readKey(
  { key, ctrlKey, metaKey, altKey }: Pressed,
  { isTyping, isWaiting, areOn }: { isTyping: boolean; isWaiting: boolean; areOn: boolean },
): Key | undefined {
  if ((ctrlKey || metaKey) && !altKey && key.toLowerCase() === 'k') return { does: 'palette' }
  if (ctrlKey || metaKey || altKey || isTyping) return undefined
  if (key === '/') return { does: 'search' }
  if (!areOn) return undefined
  if (isWaiting) return isGoKey(key) ? { does: 'go', to: GO_TO[key] } : undefined
  return Object.hasOwn(single, key) ? single[key] : undefined
}

const single: Readonly<Record<string, Key>> = {
  '?': { does: 'help' },
  g: { does: 'wait' },
  j: { does: 'next' },
  k: { does: 'previous' },
}

function isGoKey(key: string): key is GoKey {
  return Object.hasOwn(GO_TO, key)
}

/** Whether a key that is pressed there is text. */
export function isTypedInto(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('input:not([type=checkbox]), textarea, select, [role=combobox]'))
  )
}

/** Whether something is open above the page, which has keys of its own. */
export function isDialogOpen(): boolean {
  return document.querySelector('[role=dialog], [role=menu], [role=listbox]') !== null
}
