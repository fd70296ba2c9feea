import { html } from 'ghtml'

export function hidden(name: string, value: string): string {
  return html`<input type="hidden" name="${name}" value="${value}">`
}

/** Ties the password beside it to its account, for password managers alone. */
export function accountOfPassword(email: string): string {
  return html`<input type="text" name="username" value="${email}" autocomplete="username" hidden readonly>`
}
