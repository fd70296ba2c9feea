import { html } from 'ghtml'
import type { Link } from '../components.ts'
import { icon } from './icon.ts'

export interface Field {
  name: string
  label: string
  type?: 'text' | 'email' | 'password' | 'tel'
  value?: string | undefined
  autocomplete: string
  /** Attributes that describe keyboard and value to the user's device: only our own words. */
  traits?: string
  hint?: string
  /** The usual form of what is typed, which a script gives it. */
  shape?: 'tax_id' | 'phone'
  /** A code is short, and its digits are compared one by one. */
  look?: 'code' | 'long-code'
  /** Shown after the label, where the field may stay empty. */
  optional?: string | undefined
  /** The message beside the field; marks it as invalid. */
  error?: string | undefined
  focus?: boolean
  /** A link beside the label. It comes after the input, so that the tab key goes from field to field. */
  original?: Link | undefined
}

/** A labelled input with its hint and its error beside it, both tied to it for screen readers. */
export function field({
  name,
  label,
  type = 'text',
  value = '',
  autocomplete,
  traits = '',
  hint,
  shape,
  look,
  optional,
  error,
  focus,
  original,
}: Field): string {
  const described = [hint && `${name}-hint`, error && `${name}-error`].filter(Boolean).join(' ')
  const states = [
    optional === undefined ? 'required' : '',
    error ? 'aria-invalid="true"' : '',
    described ? html`aria-describedby="${described}"` : '',
    focus ? 'autofocus' : '',
    shape ? html`data-shape="${shape}"` : '',
    traits,
  ]
  const input = html`<input class="input!${look ? ` input-${look}` : ''}" id="${name}" name="${name}" type="${type}" value="${value}" autocomplete="${autocomplete}" !${states.filter(Boolean).join(' ')}>`
  return html`<div class="field!${original ? ' field-aside' : ''}">
<label for="${name}">${label}!${optional === undefined ? '' : html` <span class="optional">${optional}</span>`}</label>
!${type === 'password' ? html`<span class="typed-secret">!${input}</span>` : input}
!${original ? html`<a class="aside" href="${original.href}">${original.label}</a>` : ''}!${hint ? html`<p class="hint" id="${name}-hint">${hint}</p>` : ''}
!${error ? fieldError(name, error) : ''}
</div>`
}

/** The message beside a field, under the id that the field's `aria-describedby` names. */
export function fieldError(name: string, message: string): string {
  return html`<p class="field-error" id="${name}-error">!${icon('alert')}<span>${message}</span></p>`
}
