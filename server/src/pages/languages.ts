/** The languages every page speaks, the first one being the default. The values are BCP 47 tags, good for `lang` attributes. */
export const languages = ['pt-BR', 'en', 'es'] as const

export type Language = (typeof languages)[number]

/** The sources of a language: the switch on the page, the cookie that remembers it, the browser's settings. */
interface LanguageWishes {
  query?: string | undefined
  cookie?: string | undefined
  acceptLanguage?: string | undefined
}

/** More entries than any browser sends; the rest of a longer header is ignored. */
const longestList = 32

/** The language of the answer: the first known one of query, cookie and `Accept-Language` (RFC 9110 §12.5.4), or Brazilian Portuguese. */
export function chooseLanguage({ query, cookie, acceptLanguage }: LanguageWishes): Language {
  return languageOf(query) ?? languageOf(cookie) ?? fromAcceptLanguage(acceptLanguage) ?? 'pt-BR'
}

/** Our language for a tag: any Portuguese means Brazilian, any English means English. */
export function languageOf(tag: string | undefined): Language | undefined {
  const primary = tag?.trim().toLowerCase().split(/[-_]/)[0]
  return languages.find((language) => language.toLowerCase().split('-')[0] === primary)
}

function fromAcceptLanguage(header: string | undefined): Language | undefined {
  const wishes = (header ?? '').split(',', longestList).map(parseWish)
  const refused = new Set(wishes.filter((wish) => wish.weight === 0).map((wish) => languageOf(wish.tag)))
  const wanted = wishes.filter((wish) => wish.weight > 0).sort((one, other) => other.weight - one.weight)
  for (const { tag } of wanted) {
    const language = tag === '*' ? languages.find((any) => !refused.has(any)) : languageOf(tag)
    if (language) return language
  }
  return undefined
}

/** One element of the list, as `es-MX;q=0.8`. A weight that is not a number from 0 to 1 makes the element void. */
function parseWish(element: string): { tag: string; weight: number } {
  const [tag = '', ...parameters] = element.split(';').map((part) => part.trim())
  const quality = parameters.find((parameter) => /^q\s*=/i.test(parameter))
  if (quality === undefined) return { tag, weight: 1 }
  const weight = /^q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/i.exec(quality)?.[1]
  return weight === undefined ? { tag: '', weight: 0 } : { tag, weight: Number(weight) }
}
