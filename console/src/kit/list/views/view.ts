import type { SortPayload } from 'react-admin'
import type { Filter } from '../filters/filter.ts'

/** Filters and order of a list, under a name. */
export interface View {
  name: string
  filter: Readonly<Record<string, string>>
  sort: SortPayload
}

export const MAX_VIEWS = 30
export const MAX_NAME = 60

/** The views that the browser keeps. Anybody can change them there, so anything that is no view is left out. */
export function parseViews(kept: unknown): View[] {
  return Array.isArray(kept) ? kept.filter(isView).slice(0, MAX_VIEWS) : []
}

/** The views with one more, which replaces a view with its name. In the order of names. */
export function withView(views: readonly View[], view: View): View[] {
  return [...views.filter(({ name }) => name !== view.name), view].toSorted((a, b) => a.name.localeCompare(b.name))
}

/** The part of filters that a view keeps. Texts that somebody typed are personal data more often than not, and the browser keeps none. */
export function keptFilter(values: Readonly<Record<string, unknown>>, filters: readonly Filter[]): Record<string, string> {
  const kept = filters.filter(({ kind }) => kind !== 'text').map(({ name }) => name)
  return Object.fromEntries(kept.flatMap((name) => (typeof values[name] === 'string' ? [[name, values[name]]] : [])))
}

export function isSameView(one: Pick<View, 'filter' | 'sort'>, other: Pick<View, 'filter' | 'sort'>): boolean {
  const textOf = ({ filter, sort }: Pick<View, 'filter' | 'sort'>) =>
    JSON.stringify([Object.entries(filter).toSorted(), sort.field, sort.order])
  return textOf(one) === textOf(other)
}

/** The address of a list as a view shows it. */
export function viewPath(resource: string, { filter, sort }: Pick<View, 'filter' | 'sort'>): string {
  return `/${resource}?${new URLSearchParams({ filter: JSON.stringify(filter), sort: sort.field, order: sort.order, page: '1' })}`
}

function isView(kept: unknown): kept is View {
  if (typeof kept !== 'object' || kept === null || !('name' in kept && 'filter' in kept && 'sort' in kept)) return false
  const { name, filter, sort } = kept
  return typeof name === 'string' && name !== '' && isTexts(filter) && isTexts(sort) && 'field' in sort && 'order' in sort
}

function isTexts(value: unknown): value is Record<string, string> {
  return typeof value === 'object' && value !== null && Object.values(value).every((one) => typeof one === 'string')
}
