import { html } from 'ghtml'
import type { Answer, Media } from './api-description.ts'
import type { DocsTexts } from './docs-texts.ts'
import { fields } from './schema-table.ts'
import type { Shown } from './shown.ts'

export function answerBlock(status: string, { description, headers = {}, content = {} }: Answer, shown: Shown): string {
  const { labels } = shown
  const json = content['application/json']
  const also = Object.keys(content).map((type) => html`<code>${type}</code>`)
  const errors = json ? errorsOf(json) : undefined
  const listed = Object.entries(headers).map(
    ([name, { description: means }]) => html`<li><code>${name}</code> <span lang="en">${means}</span></li>`,
  )
  return html`<div class="answer"><h5><span class="status">${status}</span> !${also.join(html` ${labels.or} `)}</h5>
!${errors ? errorTable(errors, labels) : html`<p lang="en">${description}</p>`}
!${listed.length > 0 ? html`<ul class="headers">!${listed}</ul>` : ''}
!${json && !errors ? fields(json.schema, shown) : ''}
!${json && !errors ? examples(json, labels) : ''}</div>`
}

/** The messages of an `{error}` answer, each with its condition. */
function errorsOf({ examples = {} }: Media): Array<{ error: string; when: string }> | undefined {
  const found = Object.values(examples).flatMap(({ summary = '', value }) =>
    typeof value === 'object' && value !== null && 'error' in value ? [{ error: String(value.error), when: summary }] : [],
  )
  return found.length > 0 ? found : undefined
}

function errorTable(errors: Array<{ error: string; when: string }>, { error: heading, when: whenHeading }: DocsTexts): string {
  const rows = errors.map(({ error, when }) => html`<tr><td><code>${error}</code></td><td lang="en">${when}</td></tr>`)
  return html`<table><thead><tr><th scope="col">${heading}</th><th scope="col">${whenHeading}</th></tr></thead><tbody>!${rows}</tbody></table>`
}

function examples({ examples: named = {} }: Media, labels: DocsTexts): string {
  return Object.values(named)
    .map(({ summary, value }) => {
      const caption = summary
        ? html`<p class="hint">${labels.example}: <span lang="en">${summary}</span></p>`
        : html`<p class="hint">${labels.example}</p>`
      return html`!${caption}<pre><code>${JSON.stringify(value, undefined, 2)}</code></pre>`
    })
    .join('')
}
