import { html } from 'ghtml'
import { field } from './parts/field.ts'
import type { Texts } from './texts.ts'

/** The field for a new password, with the strength that its page's script shows. Without the script there is the field alone. */
export function newPasswordField(
  { password: labels }: Texts,
  { label, error, focus }: { label: string; error: string | undefined; focus: boolean },
): string {
  const { levels, tooShort, common, personal } = labels.meter
  const input = field({ name: 'password', label, type: 'password', autocomplete: 'new-password', hint: labels.hint, error, focus })
  const bars = levels.map(() => '<span></span>')
  return html`<div class="new-password">!${input}
<div class="meter" hidden data-levels="${levels.join('|')}" data-short="${tooShort}" data-common="${common}" data-personal="${personal}">
<div class="meter-bar" aria-hidden="true">!${bars}</div><p class="hint" role="status"></p></div></div>`
}
