import assert from 'node:assert/strict'
import { it } from 'node:test'
import { getLuminance } from '@mui/material/styles'
import { darkTheme } from './theme.ts'

it('In the dark, an alert is lighter than the card on which it stands', () => {
  const grounds = Object.values(Object(darkTheme.components?.MuiAlert?.styleOverrides?.standard)).map(
    (style) => Object(style).backgroundColor,
  )
  assert.equal(grounds.length, 4)
  const card = getLuminance(String(darkTheme.palette?.background?.paper))
  for (const ground of grounds) assert.ok(getLuminance(String(ground)) > card * 1.3, `${ground} on a card of ${card}`)
})
