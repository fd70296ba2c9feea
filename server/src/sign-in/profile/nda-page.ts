import { html } from 'ghtml'
import { alert, fieldError, hidden, type Language, layout, ownHref, type PageContext, steps, texts } from '../../pages/index.ts'

/** `text` is plain text with empty lines between its paragraphs; `textLanguage` is set where it differs from the page's. */
interface NdaPage {
  flow: string
  version: string
  text: string
  textLanguage?: Language
  problem?: 'must_choose' | undefined
  /** The profile came just before, so this is the second of two steps. */
  steps: 1 | 2
}

/** Step 2: the NDA's text and version. `nda_accept=1` accepts, `nda_decline=1` goes on without; posted to `/complete-profile`. */
export function ndaPage(context: PageContext, nda: NdaPage): string {
  const labels = texts[context.language].nda
  const lang = nda.textLanguage === undefined ? '' : html` lang="${nda.textLanguage}"`
  const paragraphs = nda.text.trim().split(/\n\s*\n/)
  const states = nda.problem ? 'aria-invalid="true" aria-describedby="nda_accept-error" autofocus' : ''
  const body = html`!${steps(texts[context.language].profile.step(nda.steps, nda.steps), nda.steps, nda.steps)}<h1>${labels.title}</h1>
<p class="lead">${labels.lead}</p>
!${nda.problem ? alert(labels.mustChoose) : ''}
<section class="terms" tabindex="0" aria-label="${labels.region}"!${lang}>
!${paragraphs.map((paragraph) => html`<p>${paragraph}</p>`)}
</section>
<p class="hint">${labels.version(nda.version)}</p>
<form method="post" action="${ownHref('/complete-profile')}">
!${hidden('flow', nda.flow)}
<div>
<label class="check" for="nda_accept"><input type="checkbox" id="nda_accept" name="nda_accept" value="1" !${states}>${labels.accept}</label>
!${nda.problem ? fieldError('nda_accept', labels.mustChoose) : ''}
</div>
<div class="actions">
<button class="button" type="submit">${labels.submit}</button>
<button class="button button-secondary" type="submit" name="nda_decline" value="1">${labels.decline}</button>
</div>
<p class="hint">${labels.declineHint}</p>
</form>`
  return layout(context, { title: labels.title, body, problem: nda.problem !== undefined, width: 'wide' })
}
