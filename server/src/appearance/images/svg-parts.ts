const setOf = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/))

/** The elements that a logo may have: what draws, and what drawings refer to. */
export const SVG_ELEMENTS = setOf(`
  svg g path rect circle ellipse line polyline polygon text tspan title desc style defs symbol use clipPath mask pattern
  linearGradient radialGradient stop
  filter feBlend feColorMatrix feComponentTransfer feComposite feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur
  feMerge feMergeNode feMorphology feOffset
`)

/** The attributes that are kept; all others are left out. */
export const SVG_ATTRIBUTES = setOf(`
  id class style transform transform-origin role aria-label aria-hidden
  x y x1 y1 x2 y2 dx dy cx cy r rx ry fx fy fr d points pathLength width height viewBox preserveAspectRatio rotate textLength lengthAdjust
  color display visibility overflow opacity paint-order shape-rendering vector-effect isolation mix-blend-mode
  fill fill-opacity fill-rule stroke stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit stroke-opacity
  stroke-width clip-path clip-rule clipPathUnits mask maskUnits maskContentUnits mask-type filter filterUnits primitiveUnits
  font-family font-size font-style font-weight font-variant font-stretch letter-spacing word-spacing text-anchor text-decoration
  dominant-baseline alignment-baseline baseline-shift
  offset stop-color stop-opacity gradientUnits gradientTransform spreadMethod patternUnits patternContentUnits patternTransform
  in in2 result type values mode operator radius stdDeviation flood-color flood-opacity k1 k2 k3 k4 slope intercept amplitude exponent
  tableValues color-interpolation color-interpolation-filters lighting-color
`)

/** Elements of editors, and what they note about a file. */
export const SVG_LEFT_OUT = setOf('metadata')

/** Elements whose only effect is colour: a reference to one draws nothing further. */
export const SVG_PAINTS = setOf('linearGradient radialGradient')
