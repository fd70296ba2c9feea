import { Button, CssBaseline, Link, Stack, ThemeProvider, Typography, useMediaQuery } from '@mui/material'
import { createTheme } from '@mui/material/styles'
import type { AdminFault } from './api/admin-fault.ts'
import { missingAuthentication } from './api/admin-http.ts'
import type { Locale } from './i18n/locales.ts'
import { SIGN_IN_PATH, SIGN_OUT_PATH } from './session.ts'
import { frameTexts } from './texts.ts'
import { darkTheme, lightTheme } from './theme.ts'

/** Instead of the console: why it can't be shown, and what to do. */
export function Arrival({ fault, locale, onRetry }: { fault: AdminFault; locale: Locale; onRetry: () => void }) {
  const isDark = useMediaQuery('(prefers-color-scheme: dark)', { noSsr: true })
  const texts = frameTexts[locale].arrival
  const reason = missingAuthentication(fault) === 'second_factor' ? 'second_factor' : fault.status === 403 ? 'not_allowed' : 'away'
  return (
    <ThemeProvider theme={createTheme(isDark ? darkTheme : lightTheme)}>
      <CssBaseline enableColorScheme />
      <Stack component="main" spacing={2} sx={{ maxWidth: 480, mx: 'auto', px: 2, py: 10, alignItems: 'flex-start' }}>
        <title>{`${texts[reason].title} · Portaria`}</title>
        <Typography variant="h1">{texts[reason].title}</Typography>
        <Typography>{texts[reason].text}</Typography>
        {reason === 'away' && (
          <Button variant="contained" onClick={onRetry}>
            {texts.retry}
          </Button>
        )}
        {reason === 'second_factor' && (
          <Button variant="contained" href={SIGN_IN_PATH}>
            {texts.signInAgain}
          </Button>
        )}
        {reason === 'not_allowed' && <Link href={SIGN_OUT_PATH}>{frameTexts[locale].signOut}</Link>}
      </Stack>
    </ThemeProvider>
  )
}
