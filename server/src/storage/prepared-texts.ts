/** The texts of prepared statements. There is one of each statement and length of its list. */
const texts = new Set<string>()

/** Notes that a statement is prepared (`prepare.ts`): it comes often, and whatever its values are, one plan suits them. */
export function notePrepared(text: string): void {
  texts.add(text)
}

export function isPrepared(text: string): boolean {
  return texts.has(text)
}
