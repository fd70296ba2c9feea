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
  brandMark: `display:inline-block;width:28px;height:28px;margin-right:10px;border-radius:8px;background:#0d7a56;color:#ffffff;text-align:center;font-weight:700;font-size:16px;line-height:28px;${font}`,
  brandName: `font-weight:600;font-size:18px;line-height:28px;${ink};${font}`,
  card: 'padding:40px 40px 24px;background:#ffffff;border:1px solid #e1e5e1;border-radius:16px',
  title: `margin:0 0 20px;font-weight:650;font-size:24px;line-height:1.25;letter-spacing:-0.4px;${ink};${font}`,
  paragraph: `margin:0 0 16px;font-size:16px;line-height:1.5;${ink};${font};overflow-wrap:anywhere`,
  code: 'margin:8px 0 24px;padding:18px 4px 18px 12px;border-radius:10px;background:#e6f3ed;color:#0b6b4b;text-align:center;font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-weight:700;font-size:34px;line-height:1.2;letter-spacing:8px',
  facts: 'width:100%;margin:8px 0 24px;padding:10px 20px;background:#f6f7f5;border:1px solid #e1e5e1;border-radius:10px',
  factLabel: `width:116px;padding:8px 12px 8px 0;font-weight:400;font-size:15px;line-height:1.4;${soft};${font}`,
  factValue: `padding:8px 0;font-weight:500;font-size:15px;line-height:1.4;${ink};${font};overflow-wrap:anywhere;word-break:break-word`,
  buttonFrame: 'margin:8px 0 20px;border-collapse:separate',
  buttonCell: 'border-radius:10px;background:#0d7a56;mso-padding-alt:14px 28px',
  button: `display:inline-block;padding:14px 28px;border-radius:10px;color:#ffffff;font-weight:600;font-size:16px;line-height:20px;text-align:center;text-decoration:none;${font}`,
  fallback: `margin:0 0 20px;font-size:13px;line-height:1.5;${soft};${font}`,
  link: 'color:#0b6b4b;text-decoration:underline',
  fallbackLink: 'color:#0b6b4b;text-decoration:underline;word-break:break-all',
  footer: `padding:24px 4px 0;${soft};${font}`,
  footerLine: `margin:0 0 10px;font-size:13px;line-height:1.5;${font}`,
  footerWarning: `margin:0 0 10px;font-weight:600;font-size:13px;line-height:1.5;${ink};${font}`,
} as const

/** Rules that need a style sheet: the dark scheme and narrow screens. Clients without it show the light mail, which is complete. */
export const darkStyles = `
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
.link{color:#5fdcae!important}
.code{background:#16302a!important;color:#5fdcae!important}
.brand-mark,.button{background:#3ecf97!important;color:#06291b!important}
.button-label{color:#06291b!important}
}
`
