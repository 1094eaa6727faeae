//! Objective-C: The Objective-C Programming Language, Apple, 2.0, on top of C.

use super::c::{C, DIRECTIVES, KEYWORDS, OPERATORS};
use crate::{Idioms, Import, Language, Quote};

/// The table of Objective-C.
pub(crate) const OBJECTIVE_C: Language = Language {
    name: "objectivec",
    aliases: &["objc", "objective-c"],
    extensions: &["h", "m", "mm"],
    hints: &[
        ("#import", 6),
        ("@interface", 6),
        ("@implementation", 6),
        ("@property", 5),
        ("NSString", 4),
        ("[self", 3),
    ],
    idioms: Idioms {
        common: "
            ); ^#define ^else ^for ^if ^int ^return ^}
        ",
        typical: "
            NSInteger YES ^#import nil
        ",
        sure: "
            NSLog( NSString [self ^#import·< ^+·( ^-·( ^@end ^@implementation ^@interface
            ^@property alloc]
        ",
    },
    sigils: "#@",
    keywords: &[
        KEYWORDS,
        DIRECTIVES,
        "
        @autoreleasepool @catch @class @dynamic @encode @end @finally @implementation @interface
        @optional @package @private @property @protected @protocol @public @required @selector
        @synchronized @synthesize @throw @try BOOL FALSE NO NULL TRUE YES id instancetype nil self
        super
    ",
    ],
    operators: &[OPERATORS, "## ::"],
    quotes: &[
        Quote::line("\"", "\"").prefixes(&["L", "U", "u", "u8"]),
        Quote::line("@\"", "\""),
        Quote::line("'", "'"),
    ],
    version: 2,
    imports: &[
        Import::line("#include").header(),
        Import::line("#import").header(),
        Import::line("@import"),
    ],
    ..C
};

#[cfg(test)]
mod tests {
    use super::OBJECTIVE_C;
    use crate::languages::expect;

    #[test]
    fn worked_example() {
        expect(
            &OBJECTIVE_C,
            "#import <A/A.h>\n@interface B : NSObject // it's\n- (id)f:(int)x;\n@end\nNSLog(@\"a \\\"%@\", @{@1: self}[x]);",
            "@interface ID : ID - ( id ) ID : ( int ) ID ; @end ID ( STR , @ { @ NUM : self } [ ID ] ) ;",
        );
    }
}
