/** Whether all parts of a text begin a part of a label; case and accents do not matter. */
export function matches(label: string, typed: string): boolean {
  const parts = partsOf(label)
  return partsOf(typed).every((wanted) => parts.some((part) => part.startsWith(wanted)))
}

function partsOf(text: string): string[] {
  const folded = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  return folded.split(/[^\p{L}\p{N}]+/u).filter((part) => part !== '')
}
