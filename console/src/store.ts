import { localStorageStore, memoryStore, type Store } from 'react-admin'
import type { Locale } from './i18n/locales.ts'

/** How the console looks. */
const KEPT: readonly string[] = ['theme', 'sidebar.open']

/**
 * Where react-admin remembers things: how the console looks in this browser, all else until the page is left. What was searched for is
 * about people, the next to sign in is another person, and filters come from links too. The language is the service's own choice, so that
 * all its pages speak the same.
 */
export function createStore(locale: Locale): Store {
  const kept = localStorageStore('1', 'portaria-console')
  const passing = memoryStore({ locale })
  const both = [kept, passing] as const
  const of = (key: string) => (KEPT.includes(key) ? kept : passing)
  return {
    setup: () => both.forEach((store) => void store.setup()),
    teardown: () => both.forEach((store) => void store.teardown()),
    getItem: (key, usual) => of(key).getItem(key, usual),
    setItem: (key, value) => of(key).setItem(key, value),
    removeItem: (key) => of(key).removeItem(key),
    removeItems: (prefix) => both.forEach((store) => void store.removeItems(prefix)),
    reset: () => both.forEach((store) => void store.reset()),
    subscribe: (key, callback) => of(key).subscribe(key, callback),
  }
}
