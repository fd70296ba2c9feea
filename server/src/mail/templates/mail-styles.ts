import type { Colours, Palette } from '../../pages/index.ts'

/** The look of mails: the pages' colours, inline since many mail clients read no style sheet. */
const font = "font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif"
const ink = 'color:#14201b'
const soft = 'color:#55625b'

export const styles = {
  body: `margin:0;padding:0;background:#f5f6f4;${font};-webkit-text-size-adjust:100%`,
  /** The inbox shows it after the subject; the mail itself does not. */
  preview: 'display:none;max-height:0;overflow:hidden;mso-hide:all',
  ground: 'background:#f5f6f4',
  edge: 'padding:32px 16px',
  column: 'width:100%;max-width:600px;text-align:left',
  brand: 'padding:0 0 20px',
  logo: `display:block;border:0;max-width:100%;height:auto;font-weight:600;font-size:18px;${ink};${font}`,
  footerLink: `text-decoration:underline;${soft};${font}`,
  brandName: `font-weight:600;font-size:18px;line-height:28px;${ink};${font}`,
  card: 'padding:40px 40px 24px;background:#ffffff;border:1px solid #e1e5e1;border-radius:16px',
  title: `margin:0 0 20px;font-weight:650;font-size:24px;line-height:1.25;letter-spacing:-0.4px;${ink};${font}`,
  paragraph: `margin:0 0 16px;font-size:16px;line-height:1.5;${ink};${font};overflow-wrap:anywhere`,
  facts: 'width:100%;margin:8px 0 24px;padding:10px 20px;background:#f6f7f5;border:1px solid #e1e5e1;border-radius:10px',
  factLabel: `width:116px;padding:8px 12px 8px 0;font-weight:400;font-size:15px;line-height:1.4;${soft};${font}`,
  factValue: `padding:8px 0;font-weight:500;font-size:15px;line-height:1.4;${ink};${font};overflow-wrap:anywhere;word-break:break-word`,
  buttonFrame: 'margin:8px 0 20px;border-collapse:separate',
  fallback: `margin:0 0 20px;font-size:13px;line-height:1.5;${soft};${font}`,
  footer: `padding:24px 4px 0;${soft};${font}`,
  footerLine: `margin:0 0 10px;font-size:13px;line-height:1.5;${font}`,
  footerWarning: `margin:0 0 10px;font-weight:600;font-size:13px;line-height:1.5;${ink};${font}`,
} as const

/** Every style that a mail of these colours may have: the sheet, and those of its elements. */
export function mailStyles({ light, dark }: Palette): string[] {
  return [darkStyles(dark), ...Object.values(styles), ...Object.values(accentStyles(light))]
}

/** The styles that use the colours of the accent. */
export function accentStyles({ accent, onAccent, accentText, accentWash }: Colours) {
  return {
    brandMark: `display:inline-block;width:28px;height:28px;margin-right:10px;border-radius:8px;background:${accent};color:${onAccent};text-align:center;font-weight:700;font-size:16px;line-height:28px;${font}`,
    gateWall: `display:inline-block;width:28px;height:28px;margin-right:10px;border-radius:8px;background:${accent};vertical-align:top;overflow:hidden`,
    gatePosts: `display:block;width:9px;height:13px;margin:6px auto 0;border:3px solid ${onAccent};border-bottom:0;border-radius:8px 8px 0 0`,
    gateLamp: `display:block;width:5px;height:5px;margin:4px auto 0;border-radius:50%;background:${onAccent};font-size:1px;line-height:5px`,
    code: `margin:8px 0 24px;padding:18px 4px 18px 12px;border-radius:10px;background:${accentWash};color:${accentText};text-align:center;font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-weight:700;font-size:34px;line-height:1.2;letter-spacing:8px`,
    buttonCell: `border-radius:10px;background:${accent};mso-padding-alt:14px 28px`,
    button: `display:inline-block;padding:14px 28px;border-radius:10px;color:${onAccent};font-weight:600;font-size:16px;line-height:20px;text-align:center;text-decoration:none;${font}`,
    link: `color:${accentText};text-decoration:underline`,
    fallbackLink: `color:${accentText};text-decoration:underline;word-break:break-all`,
  } as const
}

/** Rules that need a style sheet: the dark scheme and narrow screens. Clients without it show the light mail, which is complete. */
export function darkStyles({ accent, onAccent, accentText, accentWash }: Colours): string {
  return `
:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (max-width:520px){
.edge{padding:20px 12px!important}
.card{padding:28px 20px 12px!important}
.button-frame{width:100%!important}
.button-label{display:block!important}
.sunken{padding:8px 12px!important}
.fact-label,.fact-value{display:block!important;width:auto!important;font-size:14px!important}
.fact-label{padding:8px 0 0!important}
.fact-value{padding:0 0 8px!important}
}
@media (prefers-color-scheme:dark){
.ground{background:#0d1210!important}
.card{background:#161d1a!important;border-color:#28322d!important}
.sunken{background:#101614!important;border-color:#28322d!important}
.ink{color:#eef3f0!important}
.soft{color:#a3b0a9!important}
.link{color:${accentText}!important}
.code{background:${accentWash}!important;color:${accentText}!important}
.brand-mark,.button{background:${accent}!important;color:${onAccent}!important}
.gate-posts{border-color:${onAccent}!important}
.gate-lamp{background:${onAccent}!important}
.button-label{color:${onAccent}!important}
}
`
}
