import type { I18nProvider } from 'react-admin'
import { type Locale, localeNames, localeOf, locales } from './locales.ts'
import type { Messages } from './pt-br.ts'

const load = {
  'pt-BR': async () => (await import('./pt-br.ts')).ptBR,
  en: async () => (await import('./en.ts')).en,
  es: async () => (await import('./es.ts')).es,
} as const satisfies Record<Locale, () => Promise<Messages>>

/**
 * react-admin's own texts and those of refusals, by key. Pages have their texts as typed objects (`use-texts.ts`); only the language in use
 * is loaded.
 */
export async function createI18nProvider(initial: Locale, onChange: (locale: Locale) => Promise<void>): Promise<I18nProvider> {
  let locale = initial
  let messages: object = await load[initial]()
  return {
    translate: (key, options = {}) => {
      const text = findText(messages, key)
      return fill(text ?? (typeof options._ === 'string' ? options._ : key), options)
    },
    changeLocale: async (wanted) => {
      const next = localeOf(wanted)
      messages = await load[next]()
      locale = next
      await onChange(next)
    },
    getLocale: () => locale,
    getLocales: () => locales.map((tag) => ({ locale: tag, name: localeNames[tag] })),
  }
}

function findText(messages: object, key: string): string | undefined {
  let found: unknown = messages
  for (const part of key.split('.')) {
    if (typeof found !== 'object' || found === null) return undefined
    found = Object.entries(found).find(([name]) => name === part)?.[1]
  }
  return typeof found === 'string' ? found : undefined
}

/** `%{name}` becomes the option of that name; `one |||| many` is chosen by `smart_count`. */
export function fill(text: string, options: Record<string, unknown>): string {
  const [one = '', many = one] = text.split('||||').map((form) => form.trim())
  const form = text.includes('||||') ? (options.smart_count === undefined || options.smart_count === 1 ? one : many) : text
  return form.replace(/%\{(\w+)\}/g, (whole, name: string) => (options[name] === undefined ? whole : String(options[name])))
}
