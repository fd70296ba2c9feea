import type { PaletteOptions } from '@mui/material/styles'
import type { RaThemeOptions } from 'react-admin'

/**
 * The colours of the service's pages (server/src/pages/assets/page.css): one accent, for what can be pressed. Contrasts meet WCAG 2.2 AA.
 */
const light: PaletteOptions = {
  mode: 'light',
  primary: { main: '#0d7a56', dark: '#0a6446', contrastText: '#fff' },
  secondary: { main: '#55625b', contrastText: '#fff' },
  error: { main: '#b3261e', contrastText: '#fff' },
  warning: { main: '#7d5800', contrastText: '#fff' },
  success: { main: '#0b6b4b', contrastText: '#fff' },
  info: { main: '#2f5d73', contrastText: '#fff' },
  background: { default: '#f5f6f4', paper: '#fff' },
  text: { primary: '#14201b', secondary: '#55625b' },
  divider: '#d3dad5',
}

const dark: PaletteOptions = {
  mode: 'dark',
  primary: { main: '#3ecf97', dark: '#62dcae', contrastText: '#06291b' },
  secondary: { main: '#a3b0a9', contrastText: '#0d1210' },
  error: { main: '#ff9d94', contrastText: '#2d1816' },
  warning: { main: '#e3b54a', contrastText: '#241a02' },
  success: { main: '#5fdcae', contrastText: '#06291b' },
  info: { main: '#8fc3dc', contrastText: '#0b1c25' },
  background: { default: '#0d1210', paper: '#161d1a' },
  text: { primary: '#eef3f0', secondary: '#a3b0a9' },
  divider: '#313d37',
}

// Above the themes, which are made of them as this file is read.
/** A column is as wide as its longest word, up to this: only what is longer is broken, and tables that still don't fit scroll. */
const tableCell = { overflowWrap: 'break-word', maxWidth: '20rem', paddingInline: 12 } as const

/** Without the ripple, the focus needs a sign of its own. */
const focusRing = { '&:focus-visible': { outline: '2px solid currentColor', outlineOffset: 2 } }

export const lightTheme = themeOf(light, { fieldLine: '#848f88', wash: '#e6f3ed', alerts: {} })
export const darkTheme = themeOf(dark, { fieldLine: '#6f7d75', wash: '#16302a', alerts: darkAlerts() })

interface Lines {
  fieldLine: string
  wash: string
  /** The grounds of alerts, by severity, in place of Material's. */
  alerts: Record<string, { backgroundColor: string }>
}

/** Material's dark alerts are darker than the cards on which they stand, as if they were holes. These are lighter, as pages have them. */
function darkAlerts(): Lines['alerts'] {
  const grounds = { Error: '#3a211f', Warning: '#352c15', Success: '#183a2d', Info: '#1d323c' }
  return Object.fromEntries(
    Object.entries(grounds).map(([severity, backgroundColor]) => [`&.MuiAlert-color${severity}`, { backgroundColor }]),
  )
}

function themeOf(palette: PaletteOptions, { fieldLine, wash, alerts }: Lines): RaThemeOptions {
  return {
    palette,
    shape: { borderRadius: 10 },
    typography: {
      fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
      h1: { fontSize: '1.5rem', fontWeight: 650, letterSpacing: '-0.01em' },
      h2: { fontSize: '1.0625rem', fontWeight: 650 },
      h3: { fontSize: '0.9375rem', fontWeight: 650 },
      button: { textTransform: 'none', fontWeight: 600 },
    },
    components: {
      MuiPaper: { styleOverrides: { root: { backgroundImage: 'none' } } },
      MuiCard: { defaultProps: { variant: 'outlined' } },
      MuiButton: { defaultProps: { disableElevation: true }, styleOverrides: { root: { overflowWrap: 'normal' } } },
      MuiButtonBase: { defaultProps: { disableRipple: true }, styleOverrides: { root: focusRing } },
      // Among other words a link is known by its line, not by its colour alone.
      MuiLink: { defaultProps: { underline: 'always' }, styleOverrides: { root: focusRing } },
      // A field that can't be changed is explained by its help, which has to be read.
      MuiFormHelperText: { styleOverrides: { root: { '&.Mui-disabled': { color: palette.text?.secondary } } } },
      MuiAlert: { styleOverrides: { standard: alerts } },
      MuiAlertTitle: { styleOverrides: { root: { fontWeight: 650, fontSize: '1rem' } } },
      MuiListItemButton: { styleOverrides: { root: { '&.active': { backgroundColor: wash } } } },
      MuiTextField: { defaultProps: { variant: 'outlined', size: 'small', margin: 'dense' } },
      MuiFormControl: { defaultProps: { variant: 'outlined', size: 'small', margin: 'dense' } },
      MuiOutlinedInput: { styleOverrides: { notchedOutline: { borderColor: fieldLine } } },
      MuiDialogTitle: { styleOverrides: { root: { fontSize: '1.0625rem', fontWeight: 650 } } },
      MuiInputBase: { styleOverrides: { input: { '&::placeholder': { color: palette.text?.secondary, opacity: 1 } } } },
      // Material makes the lines of a table of the divider, lighter by nearly nine tenths.
      MuiTableCell: {
        styleOverrides: { root: { ...tableCell, borderBottomColor: palette.divider }, head: { fontWeight: 600, whiteSpace: 'nowrap' } },
      },
      MuiTooltip: { defaultProps: { arrow: true } },
      MuiCssBaseline: { styleOverrides: { body: { overflowWrap: 'anywhere' } } },
    },
  }
}
