import DarkMode from '@mui/icons-material/DarkModeOutlined'
import LightMode from '@mui/icons-material/LightModeOutlined'
import MenuIcon from '@mui/icons-material/Menu'
import { AppBar, Box, IconButton, Toolbar, Tooltip, Typography } from '@mui/material'
import { useTheme as useMode } from 'react-admin'
import { Link } from 'react-router-dom'
import { useTexts } from '../i18n/use-texts.ts'
import { frameTexts } from '../texts.ts'
import { AccountMenu } from './account-menu.tsx'
import { LanguageMenu } from './language-menu.tsx'
import { SearchBox } from './search-box.tsx'
import { IN_THE_BAR } from './tooltip.ts'

const mark = new URL('../mark.svg', import.meta.url).href

/** The bar on top. `onMenu` is given where the menu is a drawer. */
export function Bar({ onMenu }: { onMenu?: () => void }) {
  const texts = useTexts(frameTexts)
  return (
    <AppBar position="sticky" color="inherit" elevation={0} sx={{ borderBottom: 1, borderColor: 'divider' }}>
      <Toolbar variant="dense" sx={{ gap: { xs: 0.5, sm: 1 }, minHeight: 56 }}>
        {onMenu && (
          <IconButton edge="start" onClick={onMenu} aria-label={texts.openMenu}>
            <MenuIcon />
          </IconButton>
        )}
        <Brand />
        <Box sx={{ flex: 1, minWidth: 0, maxWidth: 520, mx: 'auto' }}>
          <SearchBox />
        </Box>
        <LanguageMenu />
        <ModeSwitch />
        <AccountMenu />
      </Toolbar>
    </AppBar>
  )
}

function Brand() {
  const texts = useTexts(frameTexts)
  return (
    <Box
      component={Link}
      to="/"
      aria-label={`Portaria: ${texts.home}`}
      sx={{ display: 'flex', alignItems: 'center', gap: 1, color: 'inherit', textDecoration: 'none', mr: 1 }}
    >
      <img src={mark} alt="" width={28} height={28} />
      <Typography sx={{ fontWeight: 650, display: { xs: 'none', sm: 'block' } }}>Portaria</Typography>
    </Box>
  )
}

/** Light or dark: the system's choice until the user makes one. */
function ModeSwitch() {
  const texts = useTexts(frameTexts)
  const [mode, setMode] = useMode()
  const isDark = mode === 'dark'
  const label = isDark ? texts.toLight : texts.toDark
  return (
    <Tooltip slotProps={IN_THE_BAR} title={label}>
      <IconButton onClick={() => setMode(isDark ? 'light' : 'dark')} aria-label={label}>
        {isDark ? <LightMode /> : <DarkMode />}
      </IconButton>
    </Tooltip>
  )
}
