import { Box, Typography } from '@mui/material'
import type { ReactNode } from 'react'
import { useLocale } from 'react-admin'
import { useTimeZone } from '../../console-context.ts'
import { localeOf } from '../../i18n/locales.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { kitTexts } from '../texts.ts'
import { formatExactTime, formatMoney, formatTime } from './formats.ts'

/**
 * An ISO time in the operator's zone, on one line, and exact in its tooltip; a dash where there is none. `children`: other words for it,
 * as a day in a sentence.
 */
export function Time({ at, children }: { at: string | null | undefined; children?: ReactNode }) {
  const locale = localeOf(useLocale())
  const zone = useTimeZone()
  if (!at) return <Absent />
  return (
    <Box
      component="time"
      dateTime={at}
      title={formatExactTime(at, locale, zone)}
      sx={{ ...(children === undefined && { whiteSpace: 'nowrap' }) }}
    >
      {children ?? formatTime(at, locale, zone)}
    </Box>
  )
}

/** An ISO time in the operator's zone, for a sentence. */
export function useTimeText(): (iso: string) => string {
  const locale = localeOf(useLocale())
  const zone = useTimeZone()
  return (iso) => formatTime(iso, locale, zone)
}

/** Centavos, shown as reais. */
export function Money({ centavos }: { centavos: number | null | undefined }) {
  const locale = localeOf(useLocale())
  return centavos === null || centavos === undefined ? <Absent /> : formatMoney(centavos, locale)
}

export function YesNo({ value }: { value: boolean }) {
  const texts = useTexts(kitTexts)
  return value ? texts.yes : texts.no
}

/** An address or a name: if it is too wide, an address breaks before its `@`. */
export function Address({ text }: { text: string }) {
  const at = text.lastIndexOf('@')
  if (at < 1) return text
  return (
    <>
      {text.slice(0, at)}
      <wbr />
      {text.slice(at)}
    </>
  )
}

/** Shown for a missing value. */
export function Absent() {
  const texts = useTexts(kitTexts)
  return (
    <Typography component="span" color="textSecondary" variant="inherit">
      <span aria-hidden="true">–</span>
      <Box component="span" sx={hidden}>
        {texts.none}
      </Box>
    </Typography>
  )
}

/** Any JSON, as it is. */
export function Json({ value, label }: { value: unknown; label: string }) {
  if (value === null || value === undefined) return <Absent />
  return (
    <Box
      component="pre"
      // A region that scrolls must be reachable by keyboard.
      tabIndex={0}
      role="region"
      aria-label={`${label} (JSON)`}
      sx={{ m: 0, p: 1.5, borderRadius: 1, bgcolor: 'action.hover', fontSize: '0.8125rem', overflow: 'auto', maxHeight: 420 }}
    >
      {JSON.stringify(value, undefined, 2)}
    </Box>
  )
}

/** Only for screen readers. */
export const hidden = {
  position: 'absolute',
  width: '1px',
  height: '1px',
  overflow: 'hidden',
  clipPath: 'inset(50%)',
  whiteSpace: 'nowrap',
} as const
