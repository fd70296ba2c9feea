// pages: the common parts of every page. Owns: the layout, the stylesheet and scripts, components, texts, the error page, the impersonation
// banner, languages, links. Does not own: any single page, sending one (http).

export {
  accountStylesheet,
  authenticatedScript,
  codesScript,
  favicon,
  faviconFile,
  passkeyScript,
  passwordMeter,
  pictureScript,
  revealScript,
  shapesScript,
  stylesheet,
  touchIcon,
} from './assets/assets.ts'
export { alert, elsewhere, facts, notice, steps } from './components.ts'
export { errorPage } from './error-page.ts'
export { type Href, isHref, ownHref, parseFooterHref } from './href.ts'
export { type ImpersonationNotice, STOP_IMPERSONATION } from './impersonation-banner.ts'
export { chooseLanguage, type Language, languageOf, languages } from './languages.ts'
export { layout, nameOf, type Page, type PageContext } from './layout.ts'
export { pageTexts } from './layout-texts.ts'
export { busyAlert, tooManyAttemptsAlert, tooManyRequestsAlert } from './limit-alerts.ts'
export { BUILT_IN_LOOK, BUILT_IN_PALETTE, type Colours, initialOf, type Look, type LookImage, logoSize, type Palette } from './look.ts'
export { newPasswordField } from './new-password-field.ts'
export { createPagesByFlow } from './pages-by-flow.ts'
export { type Field, field, fieldError } from './parts/field.ts'
export { accountOfPassword, hidden } from './parts/hidden-fields.ts'
export { badge, icon } from './parts/icon.ts'
export { avatar, userCard } from './parts/user-card.ts'
export { type ProviderMark, providerMark } from './provider-marks.ts'
export { type Texts, texts } from './texts.ts'
