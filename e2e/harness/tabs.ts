import type { BrowserContextOptions, Page } from 'playwright-core'

/** Tabs that are used again, each as empty as a new one. */
export interface Tabs {
  /** A tab in Portuguese on a desk in the light, unless `options` say otherwise. */
  take(options?: BrowserContextOptions): Promise<Page>
  /** Gives a tab back, with those that it opened. */
  leave(page: Page): Promise<void>
}

type Usual = Required<Pick<BrowserContextOptions, 'locale' | 'viewport' | 'colorScheme'>>

const usual = { locale: 'pt-BR', viewport: { width: 1280, height: 900 }, colorScheme: 'light' } as const satisfies Usual

/**
 * A new tab loads and compiles the console anew, which takes longer than most of what is then done with it: one that was left is given out
 * again, in the size and the colours that are asked for. Options beyond those and the language make a tab of its own.
 */
export function keepTabs(open: (options: BrowserContextOptions) => Promise<Page>): Tabs {
  const spare = new Map<string, Page[]>()
  const locales = new WeakMap<Page, string>()
  return {
    async take(options = {}) {
      const { locale = usual.locale, viewport = usual.viewport, colorScheme = usual.colorScheme, ...more } = options
      if (Object.keys(more).length > 0) return open({ ...usual, ...options })
      const page = spare.get(locale)?.pop() ?? (await open({ ...usual, locale }))
      locales.set(page, locale)
      if (viewport) await page.setViewportSize(viewport)
      await page.emulateMedia({ colorScheme })
      return page
    },
    async leave(page) {
      const context = page.context()
      const locale = locales.get(page)
      if (locale === undefined) return context.close()
      for (const other of context.pages()) if (other !== page) await other.close()
      if (page.url().startsWith('http')) {
        await page.evaluate('localStorage.clear(), sessionStorage.clear()')
        // An empty page of the same origin: for about:blank the browser begins a process, which knows nothing of the console's code.
        await page.goto(new URL('/healthz', page.url()).href)
      }
      await context.clearCookies()
      spare.set(locale, [...(spare.get(locale) ?? []), page])
    },
  }
}
