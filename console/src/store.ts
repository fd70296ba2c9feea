import { localStorageStore, memoryStore, type Store } from 'react-admin'
import type { Locale } from './i18n/locales.ts'

/**
 * How the console looks, whether single keys do something, which outcome of a run was closed (an id), and the views that each user of the
 * browser has saved (kit/list/views).
 */
const KEPT = /^(theme|sidebar\.open|notifications\.closedRun|keys\.single|views\..+)$/

/**
 * The storage of react-admin. Only these are kept in this browser; everything else lasts until the page is left. Searches are
 * personal data, the next user may be another one, and filters also come from links. The language is the service's own choice, so that all
 * its pages use the same.
 */
export function createStore(locale: Locale): Store {
  const kept = localStorageStore('1', 'portaria-console')
  const passing = memoryStore({ locale })
  const both = [kept, passing] as const
  const of = (key: string) => (KEPT.test(key) ? kept : passing)
  return {
    setup() {
      for (const store of both) store.setup()
      noteTheme(kept.getItem('theme'))
    },
    teardown: () => both.forEach((store) => void store.teardown()),
    getItem: (key, usual) => of(key).getItem(key, usual),
    setItem(key, value) {
      of(key).setItem(key, value)
      if (key === 'theme') noteTheme(value)
    },
    removeItem: (key) => of(key).removeItem(key),
    removeItems: (prefix) => both.forEach((store) => void store.removeItems(prefix)),
    reset: () => both.forEach((store) => void store.reset()),
    subscribe: (key, callback) => of(key).subscribe(key, callback),
  }
}

const YEAR_SECONDS = 365 * 86_400

/** Puts the chosen look into a cookie. The service sends the frame that is seen before any script runs (shell.css), and reads it. */
function noteTheme(theme: unknown): void {
  const isChosen = theme === 'light' || theme === 'dark'
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in browsers that people still use.
  document.cookie = `portaria_theme=${isChosen ? theme : ''}; path=/admin; samesite=lax; max-age=${isChosen ? YEAR_SECONDS : 0}`
}
