import { randomBytes } from 'node:crypto'
import { BoundedMap } from '../kit/index.ts'
import { BUILT_IN_LOOK, type Look } from './look.ts'

/** Stands for a sealed flow while a page is made. It has the characters of one alone, so that addresses and markup take it as it is. */
const PLACEHOLDER = `flow.${randomBytes(16).toString('hex')}`

/** Of an operator with many products each has a page in each language. What is made anew costs what it did before. */
const MAX_PAGES = 500

/** A page with a sealed flow in it. `inputs` is all else that decides how it looks, but for `look`, which counts as the object it is. */
export interface FlowPage {
  look: Look | undefined
  inputs: readonly unknown[]
  flow: string
  make(flow: string): string
}

/**
 * Answers pages that differ from one request to the next in nothing but their sealed flow: the first is made, and the same text with
 * another flow is each one after it. Throws for a flow that addresses or markup would write otherwise.
 */
export function createPagesByFlow(): (page: FlowPage) => string {
  const made = new WeakMap<Look, BoundedMap<string, readonly string[]>>()
  return ({ look = BUILT_IN_LOOK, inputs, flow, make }) => {
    if (!/^[\w.-]+$/.test(flow)) throw new TypeError('a sealed flow has other characters than expected')
    const key = JSON.stringify(inputs)
    const ofLook = made.get(look) ?? new BoundedMap(MAX_PAGES)
    const known = ofLook.get(key)
    if (known) return known.join(flow)
    const parts = make(PLACEHOLDER).split(PLACEHOLDER)
    made.set(look, ofLook)
    ofLook.set(key, parts)
    return parts.join(flow)
  }
}
