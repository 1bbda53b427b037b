refs-unreadable = { $file } を読めないため使いません：{ $error }
refs-too-many = { $file } のプロバイダーが { $max-providers } 個を超えています。残りは使いません
refs-bad-rule = { $file }：{ $described } の規則 { $place } を使いません：{ $error }
refs-is-no-file = ファイルではありません
refs-too-large = { $max-file } バイトを超えています
refs-bad-pattern = パターンを使えません：{ $value }
refs-no-group = パターンに番号のグループがありません
