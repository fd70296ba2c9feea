// Resolves imports that name a file by its exact place: those between our own sources, and those inside the packages with the most files.
// Nothing is left to look for: Node would look whether the file is there, whether it is a link, and for a package.json in each folder above
// it, a thousand times. That is a fifth of a start.
import { registerHooks } from 'node:module'

const own = new URL('../src/', import.meta.url).href

/** Packages of which every `.js` file is an ECMAScript module (`own-modules.test.ts`). */
export const packages = ['kysely', 'zod', 'jose', 'uuid']
const inPackages = new RegExp(`/node_modules/(?:${packages.join('|')})/`)

registerHooks({
  resolve(specifier, context, next) {
    const { parentURL, conditions } = context
    if (!specifier.startsWith('.') || parentURL === undefined) return next(specifier, context)
    const at = (format) => ({ url: new URL(specifier, parentURL).href, format, shortCircuit: true })
    if (specifier.endsWith('.ts') && parentURL.startsWith(own)) return at('module-typescript')
    if (specifier.endsWith('.js') && conditions.includes('import') && inPackages.test(parentURL)) return at('module')
    return next(specifier, context)
  },
})
