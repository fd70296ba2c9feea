import AccountCircle from '@mui/icons-material/AccountCircleOutlined'
import { Divider, IconButton, Menu, MenuItem, Tooltip, Typography } from '@mui/material'
import { useState } from 'react'
import { useMe } from '../console-context.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { SHOW_KEYS } from '../palette/keyboard.tsx'
import { SIGN_OUT_PATH } from '../session.ts'
import { frameTexts } from '../texts.ts'
import { IN_THE_BAR } from './tooltip.ts'

/** The user and their role; links to their own page and the sign-out. */
export function AccountMenu() {
  const texts = useTexts(frameTexts)
  const me = useMe()
  const [anchor, setAnchor] = useState<HTMLElement>()
  const close = () => setAnchor(undefined)
  const showKeys = () => {
    close()
    document.dispatchEvent(new Event(SHOW_KEYS))
  }
  return (
    <>
      <Tooltip slotProps={IN_THE_BAR} title={me.name}>
        <IconButton onClick={({ currentTarget }) => setAnchor(currentTarget)} aria-label={texts.account} aria-haspopup="menu">
          <AccountCircle />
        </IconButton>
      </Tooltip>
      <Menu
        open={anchor !== undefined}
        anchorEl={anchor ?? null}
        onClose={close}
        slotProps={{ paper: { role: 'dialog', 'aria-label': texts.account } }}
      >
        {/* A menu has nothing but items. */}
        <MenuItem disabled sx={{ display: 'block', '&.Mui-disabled': { opacity: 1 } }}>
          <Typography sx={{ fontWeight: 600 }}>{me.name}</Typography>
          <Typography variant="body2" color="textSecondary">
            {me.email} · {texts.roles[me.role]}
          </Typography>
        </MenuItem>
        <Divider component="li" />
        <MenuItem onClick={showKeys}>{texts.keys}</MenuItem>
        <MenuItem component="a" href="/account">
          {texts.ownPage}
        </MenuItem>
        <MenuItem component="a" href={SIGN_OUT_PATH}>
          {texts.signOut}
        </MenuItem>
      </Menu>
    </>
  )
}
