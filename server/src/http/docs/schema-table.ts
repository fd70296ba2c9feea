import { html } from 'ghtml'
import type { ApiDescription, Schema } from './api-description.ts'
import type { DocsTexts } from './docs-texts.ts'
import { prose, type Shown } from './shown.ts'

export function fields(schema: Schema, shown: Shown): string {
  const rows = rowsOf(schema, shown.description)
  return rows.length > 0 ? table(rows, shown.labels) : ''
}

interface Row {
  name: string
  schema: Schema
  required?: boolean | undefined
  description?: string | undefined
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

export function table(rows: Row[], labels: DocsTexts): string {
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
