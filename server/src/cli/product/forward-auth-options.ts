import type { ForwardAuthChange } from '../../forward-auth/index.ts'

export const FORWARD_RULES = 'signed-in, any-plan, plan=SLUG,SLUG or off'

type ForwardAuthOption = Pick<ForwardAuthChange, 'access' | 'plans'> | 'off'

export function parseForwardAuth(text: string): ForwardAuthOption | undefined {
  if (text === 'off') return 'off'
  if (text === 'signed-in') return { access: 'signed_in' }
  if (text === 'any-plan') return { access: 'any_plan' }
  const plans = text.startsWith('plan=')
    ? text
        .slice('plan='.length)
        .split(',')
        .filter((slug) => slug !== '')
    : []
  return plans.length > 0 ? { access: 'plans', plans } : undefined
}

export interface ForwardAuthOptions {
  forwardAuth?: ForwardAuthOption
  addForwardHost?: string[]
  removeForwardHost?: string[]
}

/** Hosts alone begin with the rule `signed-in` where the product has none yet. */
export function forwardAuthOf({
  forwardAuth,
  addForwardHost,
  removeForwardHost,
}: ForwardAuthOptions): ForwardAuthChange | 'off' | undefined {
  if (forwardAuth === 'off') return 'off'
  if (!forwardAuth && !addForwardHost && !removeForwardHost) return undefined
  return {
    ...forwardAuth,
    ...(addForwardHost && { addHosts: addForwardHost }),
    ...(removeForwardHost && { removeHosts: removeForwardHost }),
  }
}
