import { html } from 'ghtml'
import { answerBlock } from './answer-block.ts'
import type { Media, Operation } from './api-description.ts'
import { credential } from './credentials.ts'
import { fields, table } from './schema-table.ts'
import { type NamedOperation, prose, type Shown } from './shown.ts'

export function article({ method, path, operation }: NamedOperation, shown: Shown): string {
  const { operationId, summary, description, security, parameters, requestBody, responses } = operation
  const { labels } = shown
  return html`<article aria-labelledby="${operationId}"><h3 id="${operationId}"><a href="#${operationId}"><span class="method">${method}</span> <code>${path}</code></a></h3>
<p lang="en"><strong>${summary}</strong></p>
!${description ? html`<p lang="en">!${prose(description)}</p>` : ''}
!${security && security.length > 0 ? html`<p class="needs">${labels.needs} !${needs(security, shown)}</p>` : ''}
!${parameters ? html`<h4>${labels.query}</h4>!${parameterTable(parameters, shown)}` : ''}
!${requestBody ? html`<h4>${labels.body}</h4>!${bodies(requestBody.content, shown)}` : ''}
<h4>${labels.answers}</h4>
!${Object.entries(responses).map(([status, answer]) => answerBlock(status, answer, shown))}</article>`
}

function needs(security: NonNullable<Operation['security']>, { labels, description }: Shown): string {
  const link = (id: string) => {
    const scheme = description.components.securitySchemes[id]
    return scheme ? html`<a href="#credential-${id}">!${credential(scheme)}</a>` : html`${id}`
  }
  const ways = security.map((schemes) => Object.keys(schemes).map(link).join(' + ') || html`${labels.nothing}`)
  return ways.join(html` ${labels.or} `)
}

function parameterTable(parameters: NonNullable<Operation['parameters']>, { labels }: Shown): string {
  const rows = parameters.map(({ name, schema, required, description, example }) => ({
    name,
    schema: { ...schema, ...(example && { examples: [example] }) },
    required,
    description,
  }))
  return table(rows, labels)
}

function bodies(content: Record<string, Media>, shown: Shown): string {
  const types = Object.keys(content).map((type) => html`<code>${type}</code>`)
  const [first] = Object.values(content)
  return html`<p>!${types.join(html` ${shown.labels.or} `)}</p>!${first ? fields(first.schema, shown) : ''}`
}
