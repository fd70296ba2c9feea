import { html } from 'ghtml'
import { type Language, layout, type PageContext } from '../../pages/index.ts'
import type { Answer, ApiDescription, Media, Operation, Schema, SecurityScheme } from './api-description.ts'
import { type DocsTexts, docsTexts } from './docs-texts.ts'

interface Shown {
  labels: DocsTexts
  description: ApiDescription
}

interface NamedOperation {
  method: string
  path: string
  operation: Operation
}

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

function credentials({ labels, description }: Shown): string {
  const items = Object.entries(description.components.securitySchemes).map(
    ([id, scheme]) => html`<dt id="credential-${id}">!${credential(scheme)}</dt><dd lang="en">!${prose(scheme.description)}</dd>`,
  )
  return html`<section aria-labelledby="credentials"><h2 id="credentials">${labels.credentials}</h2><dl class="terms-list">!${items}</dl></section>`
}

function credential({ type, name, bearerFormat }: SecurityScheme): string {
  return type === 'apiKey' ? html`<code>Cookie: ${name}</code>` : html`<code>Authorization: Bearer ${bearerFormat}</code>`
}

function section({ name, description, operations }: Group, shown: Shown): string {
  const articles = operations.map((operation) => article(operation, shown))
  return html`<section aria-labelledby="tag-${name}"><h2 id="tag-${name}" lang="en">${name}</h2><p class="hint" lang="en">!${prose(description)}</p>!${articles}</section>`
}

function article({ method, path, operation }: NamedOperation, shown: Shown): string {
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

function answerBlock(status: string, { description, headers = {}, content = {} }: Answer, shown: Shown): string {
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

interface Row {
  name: string
  schema: Schema
  required?: boolean | undefined
  description?: string | undefined
}

function fields(schema: Schema, shown: Shown): string {
  const rows = rowsOf(schema, shown.description)
  return rows.length > 0 ? table(rows, shown.labels) : ''
}

/** One row for each property, nested ones by their path; alternatives one after the other, each name once. */
function rowsOf(schema: Schema, description: ApiDescription, prefix = ''): Row[] {
  const { properties = {}, required = [], anyOf = [], items } = resolve(schema, description)
  if (items) return rowsOf(items, description, `${prefix}[].`)
  const own = Object.entries(properties).flatMap(([name, property]) => {
    const resolved = resolve(property, description)
    const row: Row = { name: prefix + name, schema: resolved, required: required.includes(name), description: resolved.description }
    return [row, ...rowsOf(resolved, description, `${prefix}${name}${resolved.items ? '' : '.'}`)]
  })
  const others = anyOf.flatMap((one) => rowsOf(one, description, prefix)).map((row) => ({ ...row, required: false }))
  return [...new Map([...own, ...others].map((row) => [row.name, row])).values()]
}

function table(rows: Row[], labels: DocsTexts): string {
  const lines = rows.map(({ name, schema, required, description }) => {
    const [example] = schema.examples ?? []
    const shownExample = example === undefined ? '' : html` <span class="example">${labels.example}: <code>${String(example)}</code></span>`
    return html`<tr><td><code>${name}</code>!${required ? html` <span class="required">${labels.required}</span>` : ''}</td><td lang="en">${typeOf(schema)}</td><td lang="en">!${prose(description ?? '')}!${shownExample}</td></tr>`
  })
  return html`<table><thead><tr><th scope="col">${labels.name}</th><th scope="col">${labels.type}</th><th scope="col">${labels.meaning}</th></tr></thead><tbody>!${lines}</tbody></table>`
}

function typeOf({ type, format, const: only, enum: some, anyOf, items, maxLength }: Schema): string {
  if (only !== undefined) return JSON.stringify(only)
  if (some) return some.map((value) => JSON.stringify(value)).join(' | ')
  if (anyOf) return [...new Set(anyOf.map(typeOf))].join(' | ')
  if (items) return `array of ${typeOf(items)}`
  const name = format && format !== 'uri' ? `${type} (${format})` : format === 'uri' ? `${type} (URL)` : (type ?? 'object')
  return maxLength === undefined ? name : `${name}, at most ${maxLength}`
}

function resolve(schema: Schema, { components }: ApiDescription): Schema {
  const name = schema.$ref?.split('/').at(-1)
  return name === undefined ? schema : { ...components.schemas[name], ...schema }
}

/** Text with code in `…`. */
function prose(text: string): string {
  return text
    .split('`')
    .map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))
    .join('')
}
