import { normaliseEmail } from '../../kit/index.ts'

/** The longest local part, and the longest domain. */
const LONGEST_PART = 254
/** Control characters too, which JSON can write as escapes: no database has to take them. */
const BEFORE_LOCAL = /[\s\p{Cc}"<>()[\],;:\\@]/u
const AFTER_DOMAIN = /[^\p{L}\p{M}\p{N}.-]/u
const EDGE = /^[.-]+|[.-]+$/g

/** Every address in JSON texts, in normal form where it has one. A notification is found by these when its buyer is forgotten. */
export function addressesIn(...texts: readonly (string | undefined)[]): string[] {
  return [...new Set(texts.flatMap((text) => findAddresses(plain(text ?? ''))))]
}

function findAddresses(text: string): string[] {
  const found: string[] = []
  for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', at + 1)) {
    const [local, domain] = [localBefore(text, at), domainAfter(text, at)]
    if (local === '' || domain === '') continue
    // The characters before the @ may belong to the address, or be a quotation mark: both forms are kept.
    const [bare = ''] = /[\p{L}\p{M}\p{N}.+_-]*$/u.exec(local) ?? []
    for (const name of new Set([local, bare.replaceAll(EDGE, '')]))
      if (name !== '') found.push(normaliseEmail(`${name}@${domain}`) ?? `${name}@${domain}`.toLowerCase())
  }
  return found
}

/** The text in the letters in which addresses are kept. An escape of JSON is replaced by its character. */
function plain(json: string): string {
  const text = json.includes('\\') ? stringsOf(json) : json
  const isAscii = Buffer.byteLength(text) === text.length
  return isAscii ? text : text.normalize('NFKC')
}

function stringsOf(json: string): string {
  const strings: string[] = []
  try {
    JSON.parse(json, (key, value: unknown) => {
      strings.push(key)
      if (typeof value === 'string') strings.push(value)
    })
  } catch {
    return json // other text than JSON has no escapes
  }
  return strings.join('\n')
}

function localBefore(text: string, at: number): string {
  let from = at
  while (from > 0 && at - from < LONGEST_PART && !BEFORE_LOCAL.test(text.charAt(from - 1))) from--
  return text.slice(from, at).replaceAll(EDGE, '')
}

function domainAfter(text: string, at: number): string {
  let to = at + 1
  while (to < text.length && to - at <= LONGEST_PART && !AFTER_DOMAIN.test(text.charAt(to))) to++
  return text.slice(at + 1, to).replaceAll(EDGE, '')
}
