import type { Wording } from './wording.ts';

/** South, East and South-East Asia. */
export const EASTERN_ASIA: Readonly<Record<string, Wording>> = {
  bn: {
    text: '{{code}} আপনার {{brand}} কোড।',
    warning: 'এটি কাউকে বলবেন না।',
    speech: 'আপনার {{brand}} কোড হলো: {{code}}।',
  },
  fil: {
    text: '{{code}} ang iyong {{brand}} code.',
    warning: 'Huwag itong ibahagi kaninuman.',
    speech: 'Ang iyong {{brand}} code ay: {{code}}.',
  },
  hi: {
    text: '{{code}} आपका {{brand}} कोड है।',
    warning: 'इसे किसी को न बताएं।',
    speech: 'आपका {{brand}} कोड है: {{code}}।',
  },
  id: {
    text: '{{code}} adalah kode {{brand}} Anda.',
    warning: 'Jangan berikan kepada siapa pun.',
    speech: 'Kode {{brand}} Anda adalah: {{code}}.',
  },
  ja: {
    text: '{{code}} は {{brand}} の認証コードです。',
    warning: '他人に教えないでください。',
    speech: '{{brand}} の認証コードは、{{code}} です。',
    pause: '、',
  },
  km: {
    text: '{{code}} គឺជាលេខកូដ {{brand}} របស់អ្នក។',
    warning: 'កុំប្រាប់អ្នកណា។',
    speech: 'លេខកូដ {{brand}} របស់អ្នកគឺ {{code}}។',
  },
  ko: {
    text: '{{code}} - {{brand}} 인증번호입니다.',
    warning: '타인에게 알려주지 마세요.',
    speech: '{{brand}} 인증번호는 {{code}} 입니다.',
  },
  lo: {
    text: '{{code}} ແມ່ນລະຫັດ {{brand}} ຂອງທ່ານ.',
    warning: 'ຢ່າບອກໃຜ.',
    speech: 'ລະຫັດ {{brand}} ຂອງທ່ານແມ່ນ {{code}}.',
  },
  mr: {
    text: '{{code}} हा तुमचा {{brand}} कोड आहे.',
    warning: 'तो कोणालाही सांगू नका.',
    speech: 'तुमचा {{brand}} कोड आहे: {{code}}.',
  },
  ms: {
    text: '{{code}} ialah kod {{brand}} anda.',
    warning: 'Jangan kongsi dengan sesiapa.',
    speech: 'Kod {{brand}} anda ialah: {{code}}.',
  },
  my: {
    text: '{{code}} သည် သင်၏ {{brand}} ကုဒ်ဖြစ်သည်။',
    warning: 'မည်သူ့ကိုမျှ မပြောပါနှင့်။',
    speech: 'သင်၏ {{brand}} ကုဒ်မှာ {{code}} ဖြစ်သည်။',
    pause: '၊ ',
  },
  ne: {
    text: '{{code}} तपाईंको {{brand}} कोड हो।',
    warning: 'यो कसैलाई नभन्नुहोस्।',
    speech: 'तपाईंको {{brand}} कोड हो: {{code}}।',
  },
  ta: {
    text: '{{code}} உங்கள் {{brand}} குறியீடு.',
    warning: 'இதை யாரிடமும் பகிர வேண்டாம்.',
    speech: 'உங்கள் {{brand}} குறியீடு: {{code}}.',
  },
  te: {
    text: '{{code}} మీ {{brand}} కోడ్.',
    warning: 'దీన్ని ఎవరికీ చెప్పకండి.',
    speech: 'మీ {{brand}} కోడ్: {{code}}.',
  },
  th: {
    text: '{{code}} คือรหัส {{brand}} ของคุณ',
    warning: 'ห้ามบอกผู้อื่น',
    speech: 'รหัส {{brand}} ของคุณคือ {{code}}.',
  },
  vi: {
    text: '{{code}} là mã {{brand}} của bạn.',
    warning: 'Không chia sẻ mã này với ai.',
    speech: 'Mã {{brand}} của bạn là: {{code}}.',
  },
  'zh-Hans': {
    text: '{{code}} 是您的 {{brand}} 验证码。',
    warning: '请勿告诉他人。',
    speech: '您的 {{brand}} 验证码是：{{code}}。',
    pause: '，',
  },
  'zh-Hant': {
    text: '{{code}} 是您的 {{brand}} 驗證碼。',
    warning: '請勿告訴他人。',
    speech: '您的 {{brand}} 驗證碼是：{{code}}。',
    pause: '，',
  },
};
