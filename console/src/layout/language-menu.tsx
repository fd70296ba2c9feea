import Translate from '@mui/icons-material/Translate'
import { IconButton, Menu, MenuItem, Tooltip } from '@mui/material'
import { useState } from 'react'
import { useLocaleState } from 'react-admin'
import { localeNames, localeOf, locales } from '../i18n/locales.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { frameTexts } from '../texts.ts'
import { IN_THE_BAR } from './tooltip.ts'

/** The languages, each in its own words. */
export function LanguageMenu() {
  const texts = useTexts(frameTexts)
  const [locale, setLocale] = useLocaleState()
  const [anchor, setAnchor] = useState<HTMLElement>()
  const label = `${texts.language}: ${localeNames[localeOf(locale)]}`
  return (
    <>
      <Tooltip slotProps={IN_THE_BAR} title={label}>
        <IconButton onClick={({ currentTarget }) => setAnchor(currentTarget)} aria-label={label} aria-haspopup="menu">
          <Translate />
        </IconButton>
      </Tooltip>
      <Menu open={anchor !== undefined} anchorEl={anchor ?? null} onClose={() => setAnchor(undefined)}>
        {locales.map((tag) => (
          <MenuItem
            key={tag}
            lang={tag}
            selected={tag === locale}
            onClick={() => {
              setAnchor(undefined)
              setLocale(tag)
            }}
          >
            {localeNames[tag]}
          </MenuItem>
        ))}
      </Menu>
    </>
  )
}
