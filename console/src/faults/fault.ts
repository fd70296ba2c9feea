import { fill } from '../i18n/i18n-provider.ts'

/** What the service found wrong at others: its own sentence, in English, and the same as a code with values. */
export interface Fault {
  says: string
  /** `null` where nothing is to be said besides. */
  code: string | null
  values: Record<string, string | number>
}

/** The sentence for a code, in a language whose words are given; `undefined` for a code that a newer service has. */
export function sentenceOf({ code, values }: Fault, ...labels: ReadonlyArray<Readonly<Record<string, string>>>): string | undefined {
  if (code === null) return undefined
  const known = labels.find((some) => Object.hasOwn(some, code))?.[code]
  return known === undefined ? undefined : fill(known, values)
}
