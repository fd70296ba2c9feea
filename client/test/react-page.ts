// Runs in the browser of react.test.ts: takes over what the server rendered, or begins where there is nothing, which in strict mode is done
// twice. Lets the test render again, and take it all away.
import { createElement, StrictMode } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import type { Session } from '../src/react.ts'
import { Tree } from './react-tree.ts'

const container = document.getElementById('root')
if (!container) throw new Error('no root')
const initial: Session | undefined = JSON.parse(container.dataset.initial ?? 'null') ?? undefined
// Only at the root does strict mode begin everything twice.
const treeOf = (rendered: Session | undefined) => createElement(StrictMode, null, createElement(Tree, { initial: rendered }))
const root = container.hasChildNodes() ? hydrateRoot(container, treeOf(initial)) : createRoot(container)
if (!container.hasChildNodes()) root.render(treeOf(initial))
Object.assign(globalThis, {
  rerender: (next: Session) => root.render(treeOf(next)),
  unmount: () => root.unmount(),
})
