/** `each_time`: PostgreSQL plans it for its values, since how many rows they mean decides on the plan. */
export type Planned = 'once' | 'each_time'

/** How the texts of prepared statements are planned. There are some fifty. */
const texts = new Map<string, Planned>()

export function notePrepared(text: string, planned: Planned): void {
  texts.set(text, planned)
}

/** `undefined`: it is not prepared. */
export function plannedOf(text: string): Planned | undefined {
  return texts.get(text)
}
