import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createI18nProvider, fill } from './i18n-provider.ts'
import { locales } from './locales.ts'

describe('The words of the console', () => {
  it('are found by key in the language in use, and change with it', async () => {
    const changes: string[] = []
    const provider = await createI18nProvider('pt-BR', async (locale) => void changes.push(locale))
    assert.equal(provider.translate('ra.action.save'), 'Salvar')
    assert.equal(provider.translate('resources.plans.name', { smart_count: 2 }), 'Planos')
    await provider.changeLocale('es')
    assert.equal(provider.translate('ra.action.save'), 'Guardar')
    assert.equal(provider.getLocale(), 'es')
    assert.deepEqual(changes, ['es'])
  })

  it('fall back on what the caller gives, then on the key', async () => {
    const provider = await createI18nProvider('en', async () => undefined)
    assert.equal(provider.translate('no.such.key', { _: 'given' }), 'given')
    assert.equal(provider.translate('toString'), 'toString')
    assert.equal(provider.translate('ra.action'), 'ra.action')
  })

  it('take their values, one or many', () => {
    assert.equal(fill('one |||| %{smart_count} things', { smart_count: 1 }), 'one')
    assert.equal(fill('one |||| %{smart_count} things', { smart_count: 3 }), '3 things')
    assert.equal(fill('page %{page} of %{total}', { page: 2 }), 'page 2 of %{total}')
    assert.equal(fill('%{name}', { name: '%{page}', page: 1 }), '%{page}')
  })

  it('have the same values in every language', async () => {
    const texts = await Promise.all(locales.map(async (locale) => flat(await load[locale]())))
    for (const [key, text] of texts[0] ?? []) {
      for (const other of texts.slice(1)) {
        const theirs = other.get(key)
        assert.deepEqual(valuesOf(theirs ?? ''), valuesOf(text), key)
        assert.equal(theirs?.includes('||||'), text.includes('||||'), key)
      }
    }
  })
})

const load = {
  'pt-BR': async () => (await import('./pt-br.ts')).ptBR,
  en: async () => (await import('./en.ts')).en,
  es: async () => (await import('./es.ts')).es,
}

function flat(messages: object, path = ''): Map<string, string> {
  return new Map(
    Object.entries(messages).flatMap(([name, value]) =>
      typeof value === 'string' ? [[`${path}${name}`, value] as const] : [...flat(value, `${path}${name}.`)],
    ),
  )
}

function valuesOf(text: string): string[] {
  return [...new Set(text.match(/%\{\w+\}/g))].sort()
}
