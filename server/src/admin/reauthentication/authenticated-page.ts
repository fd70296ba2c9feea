import { html } from 'ghtml'
import { authenticatedScript, badge, layout, ownHref, type PageContext } from '../../pages/index.ts'
import { setupTexts } from '../setup/setup-texts.ts'

/** Confirms the authentication. Its script notifies the console and closes the window; without the script the user closes it. */
export function authenticatedPage(context: PageContext): string {
  const labels = setupTexts[context.language].authenticated
  const body = html`!${badge('check')}<h1>${labels.title}</h1>
<p class="lead">${labels.lead}</p>
<div class="actions"><a class="button button-secondary" href="${ownHref('/admin')}">${labels.open}</a></div>`
  return layout(context, { title: labels.title, body, script: ownHref(authenticatedScript.path) })
}
