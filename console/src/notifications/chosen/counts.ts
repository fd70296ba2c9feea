/** How many notifications there are, as the API counts them. */
export interface Counts {
  all: number
  unresolved: number
  failed: number
}

/** The API counts no further. */
const MAX_COUNTED = 1_000

/** The path of the counts under the list's filters; what is stuck and the status are what is counted. */
export function countsPath({ status: _status, stuck: _stuck, ...filters }: Record<string, string>): string {
  const query = new URLSearchParams(filters).toString()
  return query === '' ? 'notifications/counts' : `notifications/counts?${query}`
}

export function countText(count: number, locale: string): string {
  const number = new Intl.NumberFormat(locale).format(Math.min(count, MAX_COUNTED))
  return count > MAX_COUNTED ? `${number}+` : number
}
