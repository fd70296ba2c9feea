import HomeIcon from '@mui/icons-material/HomeOutlined'
import { Badge, Box, List, ListItem, ListItemButton, ListItemIcon, ListItemText, Typography } from '@mui/material'
import type { ComponentType, ReactNode } from 'react'
import { useTranslate } from 'react-admin'
import { NavLink } from 'react-router-dom'
import { useMe } from '../console-context.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { hidden } from '../kit/show/values.tsx'
import { useRead } from '../kit/use-read.ts'
import type { MenuSection, ResourcePages } from '../page-group.ts'
import { pageGroups } from '../pages.ts'
import { may, scopeOf } from '../roles.ts'
import { frameTexts } from '../texts.ts'

const sections = ['users', 'sales', 'operation'] as const satisfies readonly MenuSection[]
const listed = pageGroups.flatMap(({ resources = [] }) => resources).filter(({ list }) => list)

/** The lists that the user may read. `onChoose` closes the drawer around it. */
export function SideMenu({ onChoose }: { onChoose?: () => void }) {
  const texts = useTexts(frameTexts)
  const { role } = useMe()
  const translate = useTranslate()
  const isAllowed = ({ name }: ResourcePages) => {
    const scope = scopeOf(name, 'list')
    return scope === undefined || may(role, scope)
  }
  return (
    <Box component="nav" aria-label={texts.menu} sx={{ p: 1.5 }} onClick={onChoose}>
      <List disablePadding>
        <Entry to="/" icon={HomeIcon} label={texts.home} />
      </List>
      {sections.map((section) => {
        const entries = listed.filter((pages) => pages.section === section && isAllowed(pages))
        if (entries.length === 0) return undefined
        const id = `menu-${section}`
        return (
          <Box key={section} sx={{ mt: 1.5 }}>
            <Typography id={id} variant="caption" component="p" color="textSecondary" sx={{ px: 1.5, pb: 0.5, fontWeight: 600 }}>
              {texts.sections[section]}
            </Typography>
            <List disablePadding aria-labelledby={id}>
              {entries.map(({ name, icon }) => (
                <Entry key={name} to={`/${name}`} icon={icon} label={translate(`resources.${name}.name`, { smart_count: 2 })}>
                  {name === 'endpoints' && <TroubledEndpoints />}
                </Entry>
              ))}
            </List>
          </Box>
        )
      })}
    </Box>
  )
}

/** How many endpoints fail, or were disabled by failures; nothing where all is well. */
function TroubledEndpoints() {
  const { data } = useRead<{ failing: number; disabled: number }>('endpoints/health')
  const texts = useTexts(frameTexts)
  const count = (data?.failing ?? 0) + (data?.disabled ?? 0)
  if (count === 0) return undefined
  return (
    <Badge badgeContent={count} color="error" sx={{ mr: 1.25 }} slotProps={{ badge: { 'aria-hidden': true } }}>
      <Box component="span" sx={hidden}>
        {texts.troubled(count)}
      </Box>
    </Badge>
  )
}

function Entry({ to, icon: Icon, label, children }: { to: string; icon: ComponentType; label: string; children?: ReactNode }) {
  return (
    <ListItem disablePadding>
      <ListItemButton
        component={NavLink}
        to={to}
        end={to === '/'}
        sx={{
          borderRadius: 2,
          py: 0.5,
          px: 1.5,
          '&.active': { color: 'primary.main', '& .MuiListItemIcon-root': { color: 'inherit' } },
        }}
      >
        <ListItemIcon sx={{ minWidth: 36 }}>
          <Icon />
        </ListItemIcon>
        <ListItemText
          primary={label}
          // A mouse needs less room than a finger. So all entries fit beside a page of 800 px.
          sx={{ my: 0, '@media (pointer: coarse)': { my: 0.75 } }}
          slotProps={{ primary: { sx: { fontWeight: 550, fontSize: '0.9375rem' } } }}
        />
        {children}
      </ListItemButton>
    </ListItem>
  )
}
