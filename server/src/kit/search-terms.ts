const MAX_TERMS = 12
const LONGEST = 254

/**
 * The terms of a text, for storing and for searching: without case and accents, letters and digits alone. An address is one term, and each
 * part before its `@` is another. At most twelve, none twice.
 */
export function searchTerms(...texts: ReadonlyArray<string | undefined>): string[] {
  const terms = texts
    .flatMap((text = '') => folded(text).split(/\s+/u))
    .flatMap((part) => (part.includes('@') ? [part, ...plainTerms(part.split('@')[0] ?? '')] : plainTerms(part)))
  return [...new Set(terms.filter((term) => term !== '').map((term) => term.slice(0, LONGEST)))].slice(0, MAX_TERMS)
}

/** More add nothing about a user, and each is a search. */
const MAX_SEARCHED = 5

/**
 * The terms of a typed search: an address, or a part of one, is taken as it is. The longest first, which are the rarest; a term that is the
 * beginning of another one is dropped.
 */
export function searchedTerms(text: string): string[] {
  const terms = folded(text)
    .split(/\s+/u)
    .flatMap((part) => (part.includes('@') ? [part] : plainTerms(part)))
  const longest = [...new Set(terms.filter((term) => term !== ''))].toSorted((a, b) => b.length - a.length)
  return longest.filter((term, at) => !longest.slice(0, at).some((longer) => longer.startsWith(term))).slice(0, MAX_SEARCHED)
}

/** Most texts are of these characters alone, for which the rules of Unicode take several times as long. */
const PLAIN = /^[ -~]*$/

function plainTerms(text: string): string[] {
  return text.split(PLAIN.test(text) ? /[^a-z0-9]+/ : /[^\p{L}\p{N}]+/u)
}

/** A control character separates words, as a space does: PostgreSQL refuses NUL in a text. */
function folded(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase()
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/\p{Cc}/gu, ' ')
    .toLowerCase()
}
