import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { BUILT_IN_PALETTE, type Colours } from '../../pages/index.ts'
import { accentStyles } from '../accent-styles.ts'
import { contrast, toHex, toOklch } from './oklch.ts'
import { accentContrast, deriveDarkGrounds, derivePalette, GROUNDS, judgeAccent, LEAST_CONTRAST } from './palette.ts'

/** Every colour of a grid of 16 steps a channel. */
function everyColour(): string[] {
  const digits = [...'0123456789abcdef']
  return digits.flatMap((red) => digits.flatMap((green) => digits.map((blue) => `#${red}${red}${green}${green}${blue}${blue}`)))
}

function hueDistance(one: number, other: number): number {
  const away = Math.abs(one - other) % (2 * Math.PI)
  return Math.min(away, 2 * Math.PI - away)
}

describe('an accent colour', () => {
  test('is taken from 4.5:1 on, and refused below with its ratio and the nearest of its hue that passes', () => {
    for (const taken of ['#0d7a56', '#1a4fd6', '#000000', '#b3261e']) assert.ok(!('nearest' in judgeAccent(taken)), taken)
    const yellow = judgeAccent('#ffd400')
    assert.ok('nearest' in yellow && yellow.ratio < 1.5)
    assert.ok(hueDistance(toOklch(yellow.nearest).h, toOklch('#ffd400').h) < 0.06, yellow.nearest)
    assert.ok('nearest' in judgeAccent('#ffffff'))
    assert.ok('nearest' in judgeAccent('#ff6a00'))
  })

  test('that is suggested passes itself, and barely: it is the nearest', () => {
    for (const accent of everyColour()) {
      const judged = judgeAccent(accent)
      assert.equal('nearest' in judged, accentContrast(accent) < LEAST_CONTRAST, accent)
      if (!('nearest' in judged)) continue
      const ratio = accentContrast(judged.nearest)
      assert.ok(ratio >= LEAST_CONTRAST && ratio < 4.75, `${accent} → ${judged.nearest}: ${ratio}`)
    }
  })

  test('gives every text 4.5:1 on each of its grounds, in both schemes, whatever its hue', () => {
    for (const accent of everyColour()) {
      if ('nearest' in judgeAccent(accent)) continue
      const { light, dark } = derivePalette(accent)
      for (const [scheme, colours] of Object.entries({ light, dark })) {
        const ownGrounds = scheme === 'light' ? [] : Object.values(deriveDarkGrounds(accent))
        const grounds = [...GROUNDS[scheme === 'light' ? 'light' : 'dark'], ...ownGrounds, colours.accentWash, colours.glow]
        for (const ground of grounds) {
          const ratio = contrast(colours.accentText, ground)
          assert.ok(ratio >= LEAST_CONTRAST, `${accent}, ${scheme}: ${colours.accentText} on ${ground} has ${ratio}`)
        }
        for (const ground of [colours.accent, colours.accentDeep])
          assert.ok(contrast(colours.onAccent, ground) >= LEAST_CONTRAST, `${accent}, ${scheme}: ${colours.onAccent} on ${ground}`)
      }
      // The page's own texts stand on the tinted grounds.
      assert.ok(contrast('#55625b', light.accentWash) >= LEAST_CONTRAST && contrast('#55625b', light.glow) >= LEAST_CONTRAST, accent)
      assert.ok(contrast('#a3b0a9', dark.accentWash) >= LEAST_CONTRAST && contrast('#a3b0a9', dark.glow) >= LEAST_CONTRAST, accent)
    }
  })

  test('gives the dark scheme grounds of its hue, on which the colours of states and texts have 4.5:1 as well', () => {
    const styles = readFileSync(new URL('../../pages/assets/page.css', import.meta.url), 'utf8')
    const dark = [...styles.matchAll(/:root \{([^}]*)\}/g)][1]?.[1] ?? ''
    const states = [...dark.matchAll(/--(?:ink|ink-soft|bad|fair|good|info): (#[0-9a-f]{6});/g)].map(([, colour = '']) => colour)
    assert.equal(states.length, 6)
    for (const accent of everyColour()) {
      const { surface, sunken, ground } = deriveDarkGrounds(accent)
      for (const at of [surface, sunken, ground])
        for (const state of states) assert.ok(contrast(state, at) >= LEAST_CONTRAST, `${accent}: ${state} on ${at}`)
    }
    assert.deepEqual(deriveDarkGrounds('#000000'), { surface: '#1b1b1b', sunken: '#141414', ground: '#111111', line: '#2f2f2f' })
    assert.ok(hueDistance(toOklch(deriveDarkGrounds('#c8102e').surface).h, toOklch('#c8102e').h) < 0.4)
  })

  test('that is as red as a fault marks the focus in the colour of the text', () => {
    for (const red of ['#c8102e', '#b3261e', '#a01020', '#8a1538']) assert.match(accentStyles(red)?.body ?? '', /--focus:var\(--ink\)/, red)
    for (const other of ['#1a4fd6', '#0d7a56', '#826c00', '#7a1fa2', '#333333', '#000000'])
      assert.doesNotMatch(accentStyles(other)?.body ?? assert.fail(other), /--focus/, other)
  })

  test('comes back from OKLCH as it was', () => {
    for (const colour of everyColour()) assert.equal(toHex(toOklch(colour)), colour)
  })

  test('contrast is that of WCAG', () => {
    assert.equal(contrast('#ffffff', '#000000'), 21)
    assert.equal(contrast('#777777', '#777777'), 1)
    assert.ok(Math.abs(contrast('#767676', '#ffffff') - 4.54) < 0.01)
  })
})

test('the built-in palette and the grounds are those of the stylesheet', () => {
  const styles = readFileSync(new URL('../../pages/assets/page.css', import.meta.url), 'utf8')
  const [light = '', dark = ''] = [...styles.matchAll(/:root \{([^}]*)\}/g)].map(([, rules]) => rules)
  const names = {
    accent: '--accent',
    accentDeep: '--accent-deep',
    onAccent: '--on-accent',
    accentText: '--accent-text',
    accentWash: '--accent-wash',
    glow: '--glow',
  } as const satisfies Record<keyof Colours, string>
  const colourOf = (rules: string, name: string) => {
    const value = new RegExp(`${name}: (#[0-9a-f]+);`).exec(rules)?.[1] ?? ''
    return value.length === 4 ? value.replace(/[0-9a-f]/g, '$&$&') : value
  }
  for (const [scheme, rules] of [
    ['light', light],
    ['dark', dark],
  ] as const) {
    for (const [key, name] of Object.entries(names))
      assert.equal(colourOf(rules, name), Object.entries(BUILT_IN_PALETTE[scheme]).find(([one]) => one === key)?.[1], `${scheme} ${name}`)
    assert.deepEqual(
      ['--surface', '--sunken', '--ground'].map((name) => colourOf(rules, name)),
      [...GROUNDS[scheme]],
    )
  }
})
