/**
 * The languages that WhatsApp's templates can be in, as Meta spells them: "Supported languages" of its documentation, read on
 * 2026-11-23. Of that page we could read the part up to `hi`; what follows is from older copies of it, without the regions that
 * Meta may have added since.
 */
export const TEMPLATE_LANGUAGES: readonly string[] = (
  'af ar ar_AE ar_EG ar_LB ar_MA ar_QA az be_BY bg bn bn_IN ca cs da de de_AT de_CH el en en_AE en_AU en_CA en_GB ' +
  'en_GH en_IE en_IN en_JM en_MY en_NZ en_QA en_SG en_UG en_US en_ZA es es_AR es_ES es_MX et fa fi fil fr fr_BE ' +
  'fr_CA fr_CH fr_CI fr_MA ga gu ha he hi hr hu id it ja ka kk kn ko ky_KG lo lt lv mk ml mr ms nb nl nl_BE pa pl ' +
  'prs_AF pt_BR pt_PT ro ru rw_RW sk sl sq sr sv sw ta te th tr uk ur uz vi zh_CN zh_HK zh_TW zu'
).split(' ');
