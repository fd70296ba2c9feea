/**
 * The end of a grant, in ms, from a day or a time with its zone. A day ends where it ends last on earth: a user who was promised it has it.
 */
export function parseGrantEnd(text: string): number | undefined {
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text)
  const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/.test(text)
  const at = Date.parse(isDay ? `${text}T24:00:00-12:00` : text)
  return (isDay || isTime) && !Number.isNaN(at) ? at : undefined
}
