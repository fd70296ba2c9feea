import createCache from '@emotion/cache'
import { CacheProvider } from '@emotion/react'
import { createRoot } from 'react-dom/client'
import { AdminFault } from './api/admin-fault.ts'
import { App } from './app.tsx'
import { Arrival } from './arrival.tsx'
import { createI18nProvider } from './i18n/i18n-provider.ts'
import { type Locale, localeOf } from './i18n/locales.ts'
import { createSession, dropPrefill, goToSignIn, resumePath } from './session.ts'

const locale = localeOf(document.documentElement.lang)
const session = createSession((...request) => fetch(...request))
// The policy of /admin allows styles with the nonce of this very answer.
const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce
const styles = createCache({ key: 'p', ...(nonce && { nonce }) })
/** Read while the service says who asks: nothing takes the place of the page's first frame but the console itself. */
const translations = createI18nProvider(locale, rememberLocale)
const root = createRoot(document.getElementById('root') ?? document.body)

await arrive()

/** Only a signed-in administrator sees the console; all others see what to do. */
async function arrive(): Promise<void> {
  const me = await session.findMe()
  if (me instanceof AdminFault) {
    if (me.status === 401) return goToSignIn()
    return root.render(
      <CacheProvider value={styles}>
        <Arrival fault={me} locale={locale} onRetry={() => void arrive()} />
      </CacheProvider>,
    )
  }
  resumePath()
  dropPrefill()
  root.render(
    <CacheProvider value={styles}>
      <App me={me} session={session} locale={locale} i18nProvider={await translations} />
    </CacheProvider>,
  )
}

/** Any page of the service takes `lang` and remembers it in a cookie that scripts can't write. */
async function rememberLocale(locale: Locale): Promise<void> {
  document.documentElement.lang = locale
  await fetch(`/admin/?lang=${locale}`, { credentials: 'same-origin' })
}
