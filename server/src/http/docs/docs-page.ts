import { html } from 'ghtml'
import { type Language, layout, type PageContext } from '../../pages/index.ts'
import type { ApiDescription } from './api-description.ts'
import { credentials } from './credentials.ts'
import { docsTexts } from './docs-texts.ts'
import { article } from './operation-article.ts'
import { type NamedOperation, prose, type Shown } from './shown.ts'

/** The API description as a page without a script: a table of contents, then each operation with its parameters and answers. */
export function docsPage({ language, here }: PageContext, { body, stylesheet }: { body: string; stylesheet: string }): string {
  // A style sheet may stand in the body (WHATWG HTML, "body-ok"); no other page needs this one.
  return layout({ language, here }, { title: 'API', body: html`<link rel="stylesheet" href="${stylesheet}">!${body}`, width: 'wide' })
}

/** The main part of the page, the same for all readers of a language. The description itself is in English. */
export function docsBody(language: Language, description: ApiDescription): string {
  const shown = { labels: docsTexts[language], description }
  const operations = listOperations(description)
  const groups = description.tags.map((tag) => ({
    ...tag,
    operations: operations.filter(({ operation }) => operation.tags.includes(tag.name)),
  }))
  return html`<h1>${shown.labels.title}</h1>
<p class="lead" lang="en">!${prose(description.info.description)}</p>
<p class="note">${shown.labels.version(description.info.version)} · <a href="/openapi.json">openapi.json</a></p>
!${contents(groups, shown)}
!${credentials(shown)}
!${groups.map((group) => section(group, shown))}`
}

type Group = { name: string; description: string; operations: NamedOperation[] }

function listOperations({ paths, webhooks }: ApiDescription): NamedOperation[] {
  return Object.entries({ ...paths, ...webhooks }).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
}

function contents(groups: Group[], { labels }: Shown): string {
  const items = groups.map(({ name, operations }) => {
    const links = operations.map(({ method, path, operation }) => html`<li><a href="#${operation.operationId}">${method} ${path}</a></li>`)
    return html`<li><a href="#tag-${name}" lang="en">${name}</a><ul>!${links}</ul></li>`
  })
  return html`<nav class="contents" aria-labelledby="contents"><h2 id="contents">${labels.contents}</h2><ul>!${items}</ul></nav>`
}

function section({ name, description, operations }: Group, shown: Shown): string {
  const articles = operations.map((operation) => article(operation, shown))
  return html`<section aria-labelledby="tag-${name}"><h2 id="tag-${name}" lang="en">${name}</h2><p class="hint" lang="en">!${prose(description)}</p>!${articles}</section>`
}
