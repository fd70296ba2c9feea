import { fill } from '../i18n/i18n-provider.ts'

/** A fault that the service found elsewhere: its own sentence, in English, and the same as a code with values. */
export interface Fault {
  says: string
  /** `null` where nothing needs to be added. */
  code: string | null
  values: Record<string, string | number>
}

/** The sentence for a code, from the given texts; `undefined` for a code of a newer service. */
export function sentenceOf({ code, values }: Fault, ...labels: ReadonlyArray<Readonly<Record<string, string>>>): string | undefined {
  if (code === null) return undefined
  const known = labels.find((some) => Object.hasOwn(some, code))?.[code]
  return known === undefined ? undefined : fill(known, values)
}
