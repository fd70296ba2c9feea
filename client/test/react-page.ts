// What runs in the browser of react.test.ts: takes over what the server rendered, and lets the test render again and take it away.
import { createElement } from 'react'
import { hydrateRoot } from 'react-dom/client'
import type { Session } from '../src/react.ts'
import { Tree } from './react-tree.ts'

const container = document.getElementById('root')
if (!container) throw new Error('no root')
const initial: Session | undefined = JSON.parse(container.dataset.initial ?? 'null') ?? undefined
const root = hydrateRoot(container, createElement(Tree, { initial }))
Object.assign(globalThis, {
  rerender: (next: Session) => root.render(createElement(Tree, { initial: next })),
  unmount: () => root.unmount(),
})
