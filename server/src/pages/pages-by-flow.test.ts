import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { html } from 'ghtml'
import { ownHref } from './href.ts'
import { BUILT_IN_LOOK } from './look.ts'
import { createPagesByFlow } from './pages-by-flow.ts'

const looks = [undefined, { ...BUILT_IN_LOOK, name: 'Loja' }, { ...BUILT_IN_LOOK, name: 'Escola' }]
const flows = fc.stringMatching(/^[0-9a-f]{8}\.[\w-]{1,80}$/)
const requests = fc.array(
  fc.record({ look: fc.constantFrom(...looks), product: fc.constantFrom(undefined, 'Loja', '<b>', '","', 'flow.'), flow: flows }),
  { minLength: 2, maxLength: 20 },
)

test('every page is the one that would have been made for it alone', () => {
  fc.assert(
    fc.property(requests, (asked) => {
      const pageOf = createPagesByFlow()
      for (const { look, product, flow } of asked) {
        const make = (sealed: string) =>
          html`<h1>${look?.name ?? ''}</h1>${product ?? ''}<a href="${ownHref('/login', { flow: sealed })}">!${sealed}</a>`
        assert.equal(pageOf({ look, inputs: [product], flow, make }), make(flow))
      }
    }),
  )
})

test('a page is made once, and again when there are too many', () => {
  const pageOf = createPagesByFlow()
  let made = 0
  const ask = (name: string) => pageOf({ look: undefined, inputs: [name], flow: 'a.b', make: (flow) => `${++made} ${flow}` })
  assert.equal(ask('one'), '1 a.b')
  assert.equal(ask('one'), '1 a.b')
  for (let other = 0; other < 1000; other++) ask(`product ${other}`)
  assert.equal(ask('one'), `${made} a.b`)
  assert.ok(made > 1001, `made ${made} times`)
})

test('a flow that markup would write otherwise is refused', () => {
  const pageOf = createPagesByFlow()
  assert.throws(() => pageOf({ look: undefined, inputs: [], flow: '"><script>', make: (flow) => flow }), TypeError)
})
