import {
  Box,
  Button,
  Dialog,
  DialogActions,
  DialogContent,
  DialogTitle,
  FormControlLabel,
  FormHelperText,
  Switch,
  Typography,
} from '@mui/material'
import { Fragment, useId } from 'react'
import { useTranslate } from 'react-admin'
import { useTexts } from '../i18n/use-texts.ts'
import { GO_TO } from './keys.ts'
import { paletteTexts } from './palette-texts.ts'

interface KeysHelpProps {
  areOn: boolean
  onTurn: (areOn: boolean) => void
  onClose: () => void
}

/** The keys of the console, and the switch for those that are single letters. */
export function KeysHelp({ areOn, onTurn, onClose }: KeysHelpProps) {
  const texts = useTexts(paletteTexts)
  const translate = useTranslate()
  const help = useId()
  const pages = Object.entries(GO_TO).map(
    ([key, path]) => [['g', key], path === '/' ? texts.home : translate(`resources.${path.slice(1)}.name`, { smart_count: 2 })] as const,
  )
  return (
    <Dialog open onClose={onClose} aria-labelledby="keys-title" fullWidth maxWidth="xs">
      <DialogTitle id="keys-title">{texts.keys}</DialogTitle>
      <DialogContent>
        <Keys
          title={texts.anywhere}
          keys={[[[isMac() ? '⌘ K' : 'Ctrl K'], texts.palette], [['/'], texts.search], [['?'], texts.help], ...pages]}
        />
        <Keys
          title={texts.inLists}
          keys={[
            [['j'], texts.next],
            [['k'], texts.previous],
            [['Enter'], texts.open],
          ]}
        />
        <FormControlLabel
          control={<Switch checked={areOn} onChange={(_, on) => onTurn(on)} slotProps={{ input: { 'aria-describedby': help } }} />}
          label={texts.single}
          sx={{ mt: 2 }}
        />
        <FormHelperText id={help}>{texts.singleHelp}</FormHelperText>
      </DialogContent>
      <DialogActions sx={{ px: 3, pb: 2 }}>
        <Button variant="contained" onClick={onClose} autoFocus>
          {texts.close}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

function Keys({ title, keys }: { title: string; keys: ReadonlyArray<readonly [pressed: readonly string[], does: string]> }) {
  const texts = useTexts(paletteTexts)
  return (
    <>
      <Typography component="h3" variant="body2" color="textSecondary" sx={{ fontWeight: 600, mt: 1.5, mb: 0.5 }}>
        {title}
      </Typography>
      <Box
        component="dl"
        sx={{ m: 0, display: 'grid', gridTemplateColumns: 'max-content 1fr', columnGap: 2, rowGap: 0.75, alignItems: 'center' }}
      >
        {keys.map(([pressed, does]) => (
          <Fragment key={pressed.join(' ')}>
            <Box component="dt" sx={{ minWidth: 112 }}>
              {pressed.map((key, i) => (
                <Fragment key={key}>
                  {i > 0 && (
                    <Box component="span" sx={{ mx: 0.75, color: 'text.secondary', fontSize: '0.8125rem' }}>{` ${texts.andThen} `}</Box>
                  )}
                  <Box
                    component="kbd"
                    sx={{ px: 0.75, py: 0.25, border: 1, borderColor: 'divider', borderRadius: 1, fontSize: '0.8125rem' }}
                  >
                    {key}
                  </Box>
                </Fragment>
              ))}
            </Box>
            <Box component="dd" sx={{ m: 0 }}>
              {does}
            </Box>
          </Fragment>
        ))}
      </Box>
    </>
  )
}

function isMac(): boolean {
  return /Mac|iPhone|iPad/.test(navigator.userAgent)
}
