import assert from 'node:assert/strict'
import { it } from 'node:test'
import { getContrastRatio, getLuminance } from '@mui/material/styles'
import { darkTheme, lightTheme } from './theme.ts'

it('In the dark, an alert is lighter than the card on which it stands', () => {
  const grounds = Object.values(Object(darkTheme.components?.MuiAlert?.styleOverrides?.standard)).map(
    (style) => Object(style).backgroundColor,
  )
  assert.equal(grounds.length, 4)
  const card = getLuminance(String(darkTheme.palette?.background?.paper))
  for (const ground of grounds) assert.ok(getLuminance(String(ground)) > card * 1.3, `${ground} on a card of ${card}`)
})

for (const { palette, components } of [lightTheme, darkTheme]) {
  const card = String(palette?.background?.paper)
  const contrast = (colour: unknown) => getContrastRatio(String(colour), card)

  it(`On a ${palette?.mode} card, the lines between rows are seen, and those of a table are the same`, () => {
    assert.ok(contrast(palette?.divider) > 1.4, `${palette?.divider} on ${card}: ${contrast(palette?.divider)}`)
    assert.equal(Object(components?.MuiTableCell?.styleOverrides?.root).borderBottomColor, palette?.divider)
  })

  it(`On a ${palette?.mode} card, a placeholder is read as text is: 4.5 to 1`, () => {
    const { color, opacity } = Object(components?.MuiInputBase?.styleOverrides?.input)['&::placeholder']
    assert.equal(opacity, 1)
    assert.ok(contrast(color) >= 4.5, `${color} on ${card}: ${contrast(color)}`)
  })
}
