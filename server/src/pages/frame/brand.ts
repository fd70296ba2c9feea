import { html } from 'ghtml'
import { markShapes } from '../assets/assets.ts'
import { initialOf, type Look, logoSize } from '../look.ts'

/** The logo, with the name for those who see no pictures; or a mark and the name. */
export function brand({ name, mark, logo }: Look): string {
  if (logo) {
    const { width, height } = logoSize(logo.light)
    const dark = logo.dark ? html`<source srcset="${logo.dark.path}" media="(prefers-color-scheme: dark)">` : ''
    return html`<picture>!${dark}<img class="logo" src="${logo.light.path}" alt="${name}" width="${width}" height="${height}"></picture>`
  }
  const shapes =
    mark === 'portaria'
      ? html`<svg class="mark" viewBox="0 0 32 32" aria-hidden="true" focusable="false">!${markShapes}</svg>`
      : html`<span class="mark initial" aria-hidden="true">${initialOf(name)}</span>`
  return html`!${shapes}${name}`
}
