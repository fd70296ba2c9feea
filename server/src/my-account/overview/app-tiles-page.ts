import { html } from 'ghtml'
import { initialOf, isHref, type LookImage, type PageContext, texts } from '../../pages/index.ts'

/** An app of a user, as their page shows it. */
export interface AppTile {
  name: string
  /** Where it begins; without one it only shows. */
  home: string | undefined
  /** The app's own; without one the first letter of its name stands for it. */
  logo: { light: LookImage; dark?: LookImage } | undefined
}

/** With more apps than these the letters stand for all of them: pages weigh 30 KB at most, and each logo names two files. */
const MAX_LOGOS = 20

/** The apps that a user has been in, shares data with or has bought. */
export function appTiles({ language }: PageContext, apps: readonly AppTile[]): string {
  const labels = texts[language].ownApps
  const hasLogos = apps.length <= MAX_LOGOS
  const items = apps.map(({ name, home, logo }) => {
    const shown = html`!${logo && hasLogos ? picture(logo) : html`<span class="mark initial" aria-hidden="true">${initialOf(name)}</span>`}<span>${name}</span>`
    return home !== undefined && isHref(home) ? html`<li><a href="${home}">!${shown}</a></li>` : html`<li><div>!${shown}</div></li>`
  })
  const list = apps.length === 0 ? html`<p class="note">${labels.none}</p>` : html`<ul class="apps">!${items}</ul>`
  return html`<h2 class="section">${labels.title}</h2>!${list}`
}

function picture({ light, dark }: NonNullable<AppTile['logo']>): string {
  const source = dark ? html`<source srcset="${dark.path}" media="(prefers-color-scheme: dark)">` : ''
  return html`<picture>!${source}<img src="${light.path}" alt="" width="32" height="32"></picture>`
}
