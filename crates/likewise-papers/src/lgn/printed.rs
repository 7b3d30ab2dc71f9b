//! What the paper prints.

/// A column of Table 1.
#[derive(Clone, Copy, Debug)]
pub enum Column {
    OneClassSvm,
    SpyEm,
    RocSvm,
    Pebl,
    Lgn,
}

/// A row of Table 1: F in percent, in the order of [`Column`].
pub struct Row(pub [f64; 5]);

impl Row {
    pub fn value(&self, column: Column) -> f64 {
        self.0[column as usize]
    }
}

/// The twenty pairs, in the paper's order.
pub const TABLE_1: [Row; 20] = [
    Row([22.5, 46.3, 17.2, 0.0, 82.1]), // graphics - crypt
    Row([17.9, 54.1, 15.8, 3.5, 78.0]), // graphics - electronics
    Row([17.2, 39.0, 15.3, 0.0, 64.9]), // graphics - med
    Row([22.2, 49.5, 15.7, 0.0, 71.7]), // graphics - space
    Row([23.6, 43.1, 18.3, 0.0, 82.8]), // os.ms-windows.misc - crypt
    Row([15.9, 39.6, 16.3, 0.0, 80.2]), // os.ms-windows.misc - electronics
    Row([18.6, 36.4, 16.5, 0.0, 75.2]), // os.ms-windows.misc - med
    Row([20.8, 40.5, 17.9, 0.0, 78.2]), // os.ms-windows.misc - space
    Row([23.1, 46.0, 17.5, 1.2, 84.8]), // sys.mac.hardware - crypt
    Row([18.8, 42.4, 17.5, 0.0, 84.3]), // sys.mac.hardware - electronics
    Row([18.3, 52.6, 16.5, 0.0, 70.4]), // sys.mac.hardware - med
    Row([21.3, 40.0, 17.5, 0.0, 77.9]), // sys.mac.hardware - space
    Row([25.4, 46.5, 16.9, 0.0, 82.9]), // sys.ibm.pc.hardware - crypt
    Row([19.6, 47.5, 17.1, 1.3, 82.4]), // sys.ibm.pc.hardware - electronics
    Row([17.4, 41.9, 16.4, 0.0, 74.5]), // sys.ibm.pc.hardware - med
    Row([21.3, 41.5, 17.4, 1.3, 75.5]), // sys.ibm.pc.hardware - space
    Row([22.6, 54.1, 17.3, 2.3, 82.0]), // windows.x - crypt
    Row([19.4, 48.2, 16.0, 0.0, 76.3]), // windows.x - electronics
    Row([20.4, 39.9, 16.1, 1.3, 66.2]), // windows.x - med
    Row([18.3, 34.4, 16.4, 0.0, 69.8]), // windows.x - space
];
pub const AVERAGE: Row = Row([20.2, 44.2, 16.8, 0.5, 77.0]);

/// F of LGN minus the best other system with ten classes, at 5, 10, 15, 20 and 40 % unexpected.
pub const LEAD_REUTERS: [f64; 5] = [32.77, 32.14, 27.82, 18.43, 11.11];
pub const LEAD_NEWSGROUPS: [f64; 5] = [10.56, 4.80, 5.46, 6.20, 4.00];
